// Written by `npm run generate` from the routes of packages/contract: edit those.
import type * as accessRequests from '@moonbase/contract/repositories/access-requests';
import type { RouteBody, RouteParams, SuccessAnswer } from '../operation.ts';
import { repoParams, splitRepo } from '../repo-name.ts';
import { call, type Hub } from '../request.ts';

export * from '../handwritten/gating.ts';

export type AccessRequest = SuccessAnswer<typeof accessRequests.listAccessRequests>[number];

/**
 * Withdraw the caller's own access request, or give the access up. Not possible after somebody has rejected the
 * request or taken the access away: 403.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function cancelAccessRequest(
  params: Hub & {
    readonly type: 'model' | 'dataset' | 'space' | 'bucket' | 'kernel';
    /** namespace/name */
    readonly repo: string;
  },
): Promise<SuccessAnswer<typeof accessRequests.cancelAccessRequest>> {
  return call<typeof accessRequests.cancelAccessRequest>(params, {
    method: 'POST',
    path: '/api/{repoType}/{namespace}/{repo}/user-access-request/cancel',
    params: { ...repoParams(params) },
  });
}

/**
 * List the access requests for a gated repository, the latest first. `X-Total-Count` is the number of requests of
 * this status; `Link: <…>; rel="next"` leads to the next page.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 * - 400: The repository is not gated.
 */
export function listAccessRequests(
  params: Hub & {
    readonly type: 'model' | 'dataset' | 'space' | 'bucket' | 'kernel';
    /** namespace/name */
    readonly repo: string;
    readonly status: RouteParams<typeof accessRequests.listAccessRequests>['status'];
    /** The id of the request that the page follows. */
    readonly after?: string | undefined;
    /** The id of the request that the page comes before. */
    readonly before?: string | undefined;
    readonly limit?: number | undefined;
  },
): Promise<SuccessAnswer<typeof accessRequests.listAccessRequests>> {
  return call<typeof accessRequests.listAccessRequests>(params, {
    method: 'GET',
    path: '/api/{repoType}/{namespace}/{repo}/user-access-request/{status}',
    params: { ...repoParams(params), status: params.status },
    query: { after: params.after, before: params.before, limit: params.limit },
  });
}

/**
 * Accept or reject an access request, or make it wait again. `pending` takes access away without a rejection. A
 * request that has the status already is 400, and one that does not exist 404.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 */
export function handleAccessRequest(
  params: Hub & {
    readonly type: 'model' | 'dataset' | 'space' | 'bucket' | 'kernel';
    /** namespace/name */
    readonly repo: string;
    /** The name of the user. */
    readonly user?: string | undefined;
    /** Object id: 24 lower-case hexadecimal characters. */
    readonly userId?: string | undefined;
    /** Object id: 24 lower-case hexadecimal characters. */
    readonly requestId?: string | undefined;
    readonly status: RouteBody<typeof accessRequests.handleAccessRequest>['status'];
    /** For rejections: what the user reads. */
    readonly rejectionReason?: string | undefined;
  },
): Promise<SuccessAnswer<typeof accessRequests.handleAccessRequest>> {
  return call<typeof accessRequests.handleAccessRequest>(params, {
    method: 'POST',
    path: '/api/{repoType}/{namespace}/{repo}/user-access-request/handle',
    params: { ...repoParams(params) },
    body: {
      user: params.user,
      userId: params.userId,
      requestId: params.requestId,
      status: params.status,
      rejectionReason: params.rejectionReason,
    },
  });
}

/**
 * Accept or reject up to 100 access requests, or make them wait again. A request that has the status already
 * counts as done.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 */
export function handleAccessRequests(
  params: Hub & {
    readonly type: 'model' | 'dataset' | 'space' | 'bucket' | 'kernel';
    /** namespace/name */
    readonly repo: string;
    readonly status: RouteBody<typeof accessRequests.handleAccessRequests>['status'];
    /** For rejections: what the user reads. */
    readonly rejectionReason?: string | undefined;
    readonly requests: RouteBody<typeof accessRequests.handleAccessRequests>['requests'];
  },
): Promise<SuccessAnswer<typeof accessRequests.handleAccessRequests>> {
  return call<typeof accessRequests.handleAccessRequests>(params, {
    method: 'POST',
    path: '/api/{repoType}/{namespace}/{repo}/user-access-request/batch',
    params: { ...repoParams(params) },
    body: { status: params.status, rejectionReason: params.rejectionReason, requests: params.requests },
  });
}

/**
 * Grant a user access to the files of a gated repository. The user need not have asked. A user who has access
 * already is 400.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 */
export function grantAccess(
  params: Hub & {
    readonly type: 'model' | 'dataset' | 'space' | 'bucket' | 'kernel';
    /** namespace/name */
    readonly repo: string;
    /** The name of the user. */
    readonly user?: string | undefined;
    /** Object id: 24 lower-case hexadecimal characters. */
    readonly userId?: string | undefined;
  },
): Promise<SuccessAnswer<typeof accessRequests.grantAccess>> {
  return call<typeof accessRequests.grantAccess>(params, {
    method: 'POST',
    path: '/api/{repoType}/{namespace}/{repo}/user-access-request/grant',
    params: { ...repoParams(params) },
    body: { user: params.user, userId: params.userId },
  });
}

/**
 * Download the access requests for a gated model. The latest 10,000 requests. `X-Total-Count` is the number of
 * all.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function getUserAccessReport(
  params: Hub & {
    /** namespace/name */
    readonly repo: string;
  },
): Promise<SuccessAnswer<typeof accessRequests.getUserAccessReport>> {
  return call<typeof accessRequests.getUserAccessReport>(params, {
    method: 'GET',
    path: '/{namespace}/{repo}/user-access-report',
    params: { ...splitRepo(params.repo) },
  });
}

/**
 * Download the access requests for a gated repository. The latest 10,000 requests. `X-Total-Count` is the number
 * of all.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function getUserAccessReportOfType(
  params: Hub & {
    readonly type: 'model' | 'dataset' | 'space' | 'kernel';
    /** namespace/name */
    readonly repo: string;
  },
): Promise<SuccessAnswer<typeof accessRequests.getUserAccessReportOfType>> {
  return call<typeof accessRequests.getUserAccessReportOfType>(params, {
    method: 'GET',
    path: '/{repoType}/{namespace}/{repo}/user-access-report',
    params: { ...repoParams(params) },
  });
}
