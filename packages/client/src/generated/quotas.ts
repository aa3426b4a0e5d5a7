// Written by `npm run generate` from the routes of packages/contract: edit those.
import type * as quotas from '@moonbase/contract/accounts/quotas';
import type { RouteBody, SuccessAnswer } from '../operation.ts';
import { call, type Hub } from '../request.ts';

export type OwnQuotas = SuccessAnswer<typeof quotas.getOwnQuotas>;

export type StorageUsage = SuccessAnswer<typeof quotas.getOrganizationStorageUsage>;

export type AccountQuota = SuccessAnswer<typeof quotas.getQuota>;

export type CountQuota = NonNullable<SuccessAnswer<typeof quotas.getQuota>['webhooks']>;

/**
 * Get how much of their quotas the caller uses.
 *
 * Throws a `HubApiError`: 401, 403.
 */
export function getOwnQuotas(params: Hub): Promise<SuccessAnswer<typeof quotas.getOwnQuotas>> {
  return call<typeof quotas.getOwnQuotas>(params, { method: 'GET', path: '/api/settings/quotas' });
}

/**
 * Get how much of its storage quota an organization uses. For members.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function getOrganizationStorageUsage(
  params: Hub & {
    readonly organization: string;
  },
): Promise<SuccessAnswer<typeof quotas.getOrganizationStorageUsage>> {
  return call<typeof quotas.getOrganizationStorageUsage>(params, {
    method: 'GET',
    path: '/api/organizations/{name}/settings/storage',
    params: { name: params.organization },
  });
}

/**
 * Get the quotas of a user or an organization, and how much of them is used.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function getQuota(
  params: Hub & {
    readonly name: string;
  },
): Promise<SuccessAnswer<typeof quotas.getQuota>> {
  return call<typeof quotas.getQuota>(params, {
    method: 'GET',
    path: '/api/admin/quotas/{name}',
    params: { name: params.name },
  });
}

/**
 * Set quotas of a user or an organization. They hold from the next request on. What an account has beyond a lower
 * quota stays, and nothing more is accepted. A quota that is left out stays as it is.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 */
export function updateQuota(
  params: Hub & {
    readonly name: string;
    /** GiB with at most three decimals; null: no limit; `default`: the quota of the settings. */
    readonly storageGib?: RouteBody<typeof quotas.updateQuota>['storageGib'];
    /** Webhooks of a user; `default`: the quota of the settings. */
    readonly webhooks?: RouteBody<typeof quotas.updateQuota>['webhooks'];
    /** Access tokens of a user; null: no limit; `default`: the quota of the settings. */
    readonly tokens?: RouteBody<typeof quotas.updateQuota>['tokens'];
    /**
     * Discussions and pull requests that a user may open in any 24 hours; null: no limit; `default`: the quota of the
     * settings.
     */
    readonly discussions?: RouteBody<typeof quotas.updateQuota>['discussions'];
  },
): Promise<SuccessAnswer<typeof quotas.updateQuota>> {
  return call<typeof quotas.updateQuota>(params, {
    method: 'PUT',
    path: '/api/admin/quotas/{name}',
    params: { name: params.name },
    body: {
      storageGib: params.storageGib,
      webhooks: params.webhooks,
      tokens: params.tokens,
      discussions: params.discussions,
    },
  });
}
