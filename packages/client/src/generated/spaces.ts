// Written by `npm run generate` from the routes of packages/contract: edit those.
import type * as spaceRuntime from '@moonbase/contract/repositories/space-runtime';
import type * as spaceSettings from '@moonbase/contract/repositories/space-settings';
import type { RouteBody, SuccessAnswer } from '../operation.ts';
import { splitRepo } from '../repo-name.ts';
import { call, type Hub } from '../request.ts';

/**
 * List the variables of a Space. With their values: whoever may read a Space may read its variables.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function listSpaceVariables(
  params: Hub & {
    /** namespace/name */
    readonly repo: string;
  },
): Promise<SuccessAnswer<typeof spaceSettings.listSpaceVariables>> {
  return call<typeof spaceSettings.listSpaceVariables>(params, {
    method: 'GET',
    path: '/api/spaces/{namespace}/{repo}/variables',
    params: { ...splitRepo(params.repo) },
  });
}

/**
 * Set a variable of a Space.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 * - 409: The key is taken by a secret or a variable, or the Space has as many as it may have.
 */
export function setSpaceVariable(
  params: Hub & {
    /** namespace/name */
    readonly repo: string;
    /** Name of the environment variable. */
    readonly key: string;
    readonly value?: string | undefined;
    /** Absent: the description stays as it is. */
    readonly description?: string | undefined;
  },
): Promise<SuccessAnswer<typeof spaceSettings.setSpaceVariable>> {
  return call<typeof spaceSettings.setSpaceVariable>(params, {
    method: 'POST',
    path: '/api/spaces/{namespace}/{repo}/variables',
    params: { ...splitRepo(params.repo) },
    body: { key: params.key, value: params.value, description: params.description },
  });
}

/**
 * Delete a variable of a Space. Without such a variable nothing changes.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 */
export function deleteSpaceVariable(
  params: Hub & {
    /** namespace/name */
    readonly repo: string;
    readonly key: string;
  },
): Promise<SuccessAnswer<typeof spaceSettings.deleteSpaceVariable>> {
  return call<typeof spaceSettings.deleteSpaceVariable>(params, {
    method: 'DELETE',
    path: '/api/spaces/{namespace}/{repo}/variables',
    params: { ...splitRepo(params.repo) },
    body: { key: params.key },
  });
}

/**
 * List the secrets of a Space, without their values.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function listSpaceSecrets(
  params: Hub & {
    /** namespace/name */
    readonly repo: string;
  },
): Promise<SuccessAnswer<typeof spaceSettings.listSpaceSecrets>> {
  return call<typeof spaceSettings.listSpaceSecrets>(params, {
    method: 'GET',
    path: '/api/spaces/{namespace}/{repo}/secrets',
    params: { ...splitRepo(params.repo) },
  });
}

/**
 * Set a secret of a Space. The value is stored encrypted, and no operation returns it.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 * - 409: The key is taken by a secret or a variable, or the Space has as many as it may have.
 */
export function setSpaceSecret(
  params: Hub & {
    /** namespace/name */
    readonly repo: string;
    /** Name of the environment variable. */
    readonly key: string;
    readonly value?: string | undefined;
    /** Absent: the description stays as it is. */
    readonly description?: string | undefined;
  },
): Promise<SuccessAnswer<typeof spaceSettings.setSpaceSecret>> {
  return call<typeof spaceSettings.setSpaceSecret>(params, {
    method: 'POST',
    path: '/api/spaces/{namespace}/{repo}/secrets',
    params: { ...splitRepo(params.repo) },
    body: { key: params.key, value: params.value, description: params.description },
  });
}

/**
 * Delete a secret of a Space. Without such a secret nothing changes.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 */
export function deleteSpaceSecret(
  params: Hub & {
    /** namespace/name */
    readonly repo: string;
    readonly key: string;
  },
): Promise<SuccessAnswer<typeof spaceSettings.deleteSpaceSecret>> {
  return call<typeof spaceSettings.deleteSpaceSecret>(params, {
    method: 'DELETE',
    path: '/api/spaces/{namespace}/{repo}/secrets',
    params: { ...splitRepo(params.repo) },
    body: { key: params.key },
  });
}

/**
 * Replace the volumes of a Space. The caller must be able to read each bucket or repository, and to write to a
 * bucket that is not mounted `readOnly`. The hub keeps the list and mounts nothing. Not for Spaces with the SDK
 * `static`.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 */
export function setSpaceVolumes(
  params: Hub & {
    /** namespace/name */
    readonly repo: string;
    readonly volumes: RouteBody<typeof spaceSettings.setSpaceVolumes>['volumes'];
  },
): Promise<SuccessAnswer<typeof spaceSettings.setSpaceVolumes>> {
  return call<typeof spaceSettings.setSpaceVolumes>(params, {
    method: 'PUT',
    path: '/api/spaces/{namespace}/{repo}/volumes',
    params: { ...splitRepo(params.repo) },
    body: { volumes: params.volumes },
  });
}

/**
 * Remove all volumes of a Space. 400 if the Space has none.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function deleteSpaceVolumes(
  params: Hub & {
    /** namespace/name */
    readonly repo: string;
  },
): Promise<SuccessAnswer<typeof spaceSettings.deleteSpaceVolumes>> {
  return call<typeof spaceSettings.deleteSpaceVolumes>(params, {
    method: 'DELETE',
    path: '/api/spaces/{namespace}/{repo}/volumes',
    params: { ...splitRepo(params.repo) },
  });
}

/**
 * Get the state of a Space. This hub does not run Spaces: each is paused.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function getSpaceRuntime(
  params: Hub & {
    /** namespace/name */
    readonly repo: string;
  },
): Promise<SuccessAnswer<typeof spaceRuntime.getSpaceRuntime>> {
  return call<typeof spaceRuntime.getSpaceRuntime>(params, {
    method: 'GET',
    path: '/api/spaces/{namespace}/{repo}/runtime',
    params: { ...splitRepo(params.repo) },
  });
}

/**
 * Pause a Space. Changes nothing, since no Space runs.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function pauseSpace(
  params: Hub & {
    /** namespace/name */
    readonly repo: string;
  },
): Promise<SuccessAnswer<typeof spaceRuntime.pauseSpace>> {
  return call<typeof spaceRuntime.pauseSpace>(params, {
    method: 'POST',
    path: '/api/spaces/{namespace}/{repo}/pause',
    params: { ...splitRepo(params.repo) },
  });
}

/**
 * Restart a Space.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 501.
 * - 501: With the code `NotImplemented`: the hub does not run Spaces. Whoever may not write to the Space gets 403
 * or 404.
 */
export function restartSpace(
  params: Hub & {
    /** namespace/name */
    readonly repo: string;
    readonly factory?: string | undefined;
  },
): Promise<SuccessAnswer<typeof spaceRuntime.restartSpace>> {
  return call<typeof spaceRuntime.restartSpace>(params, {
    method: 'POST',
    path: '/api/spaces/{namespace}/{repo}/restart',
    params: { ...splitRepo(params.repo) },
    query: { factory: params.factory },
  });
}

/**
 * Request hardware for a Space.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409, 501.
 * - 501: With the code `NotImplemented`: the hub does not run Spaces. Whoever may not write to the Space gets 403
 * or 404.
 */
export function requestSpaceHardware(
  params: Hub & {
    /** namespace/name */
    readonly repo: string;
    readonly flavor: string;
    readonly sleepTimeSeconds?: number | undefined;
  },
): Promise<SuccessAnswer<typeof spaceRuntime.requestSpaceHardware>> {
  return call<typeof spaceRuntime.requestSpaceHardware>(params, {
    method: 'POST',
    path: '/api/spaces/{namespace}/{repo}/hardware',
    params: { ...splitRepo(params.repo) },
    body: { flavor: params.flavor, sleepTimeSeconds: params.sleepTimeSeconds },
  });
}

/**
 * Set after which time without requests a Space sleeps.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409, 501.
 * - 501: With the code `NotImplemented`: the hub does not run Spaces. Whoever may not write to the Space gets 403
 * or 404.
 */
export function setSpaceSleepTime(
  params: Hub & {
    /** namespace/name */
    readonly repo: string;
    readonly seconds: number;
  },
): Promise<SuccessAnswer<typeof spaceRuntime.setSpaceSleepTime>> {
  return call<typeof spaceRuntime.setSpaceSleepTime>(params, {
    method: 'POST',
    path: '/api/spaces/{namespace}/{repo}/sleeptime',
    params: { ...splitRepo(params.repo) },
    body: { seconds: params.seconds },
  });
}

/**
 * Turn the dev mode of a Space on or off.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409, 501.
 * - 501: With the code `NotImplemented`: the hub does not run Spaces. Whoever may not write to the Space gets 403
 * or 404.
 */
export function setSpaceDevMode(
  params: Hub & {
    /** namespace/name */
    readonly repo: string;
    readonly enabled: boolean;
  },
): Promise<SuccessAnswer<typeof spaceRuntime.setSpaceDevMode>> {
  return call<typeof spaceRuntime.setSpaceDevMode>(params, {
    method: 'POST',
    path: '/api/spaces/{namespace}/{repo}/dev-mode',
    params: { ...splitRepo(params.repo) },
    body: { enabled: params.enabled },
  });
}

/**
 * Request persistent storage for a Space.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409, 501.
 * - 501: With the code `NotImplemented`: the hub does not run Spaces. Whoever may not write to the Space gets 403
 * or 404.
 */
export function requestSpaceStorage(
  params: Hub & {
    /** namespace/name */
    readonly repo: string;
    readonly tier: string;
  },
): Promise<SuccessAnswer<typeof spaceRuntime.requestSpaceStorage>> {
  return call<typeof spaceRuntime.requestSpaceStorage>(params, {
    method: 'POST',
    path: '/api/spaces/{namespace}/{repo}/storage',
    params: { ...splitRepo(params.repo) },
    body: { tier: params.tier },
  });
}

/**
 * Delete the persistent storage of a Space.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 501.
 * - 501: With the code `NotImplemented`: the hub does not run Spaces. Whoever may not write to the Space gets 403
 * or 404.
 */
export function deleteSpaceStorage(
  params: Hub & {
    /** namespace/name */
    readonly repo: string;
  },
): Promise<SuccessAnswer<typeof spaceRuntime.deleteSpaceStorage>> {
  return call<typeof spaceRuntime.deleteSpaceStorage>(params, {
    method: 'DELETE',
    path: '/api/spaces/{namespace}/{repo}/storage',
    params: { ...splitRepo(params.repo) },
  });
}

/**
 * Follow the state of a Space. Always 501, since the state never changes: `getSpaceRuntime` returns it.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 501.
 * - 501: With the code `NotImplemented`: the hub does not run Spaces. Whoever may not read the Space gets 404.
 */
export function streamSpaceEvents(
  params: Hub & {
    /** namespace/name */
    readonly repo: string;
    /** Ignored. */
    readonly session_uuid?: string | undefined;
  },
): Promise<SuccessAnswer<typeof spaceRuntime.streamSpaceEvents>> {
  return call<typeof spaceRuntime.streamSpaceEvents>(params, {
    method: 'GET',
    path: '/api/spaces/{namespace}/{repo}/events',
    params: { ...splitRepo(params.repo) },
    query: { session_uuid: params.session_uuid },
  });
}

/**
 * Follow what a Space uses. Always 501, since nothing runs.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 501.
 * - 501: With the code `NotImplemented`: the hub does not run Spaces. Whoever may not read the Space gets 404.
 */
export function streamSpaceMetrics(
  params: Hub & {
    /** namespace/name */
    readonly repo: string;
  },
): Promise<SuccessAnswer<typeof spaceRuntime.streamSpaceMetrics>> {
  return call<typeof spaceRuntime.streamSpaceMetrics>(params, {
    method: 'GET',
    path: '/api/spaces/{namespace}/{repo}/metrics',
    params: { ...splitRepo(params.repo) },
  });
}

/**
 * List hardware for Spaces. Empty, since this hub does not run Spaces.
 *
 * Throws a `HubApiError`: 401, 403.
 */
export function listSpaceHardware(params: Hub): Promise<SuccessAnswer<typeof spaceRuntime.listSpaceHardware>> {
  return call<typeof spaceRuntime.listSpaceHardware>(params, { method: 'GET', path: '/api/spaces/hardware' });
}

/**
 * List templates of Spaces. Empty: this hub has none. Duplicate a Space instead.
 *
 * Throws a `HubApiError`: 401, 403.
 */
export function listSpaceTemplates(params: Hub): Promise<SuccessAnswer<typeof spaceRuntime.listSpaceTemplates>> {
  return call<typeof spaceRuntime.listSpaceTemplates>(params, { method: 'GET', path: '/api/spaces/templates' });
}

/**
 * Get the ZeroGPU quota of the caller.
 *
 * Throws a `HubApiError`: 401, 403, 501.
 * - 501: With the code `NotImplemented`: the hub does not run Spaces.
 */
export function getZeroGpuQuota(params: Hub): Promise<SuccessAnswer<typeof spaceRuntime.getZeroGpuQuota>> {
  return call<typeof spaceRuntime.getZeroGpuQuota>(params, { method: 'GET', path: '/api/spaces/zero-gpu/quota' });
}
