// Written by `npm run generate` from the routes of packages/contract: edit those.
import type * as events from '@moonbase/contract/audit-log/events';
import type { Entry, SuccessAnswer } from '../operation.ts';
import { entriesOf } from '../pages.ts';
import { call, type Hub } from '../request.ts';

export * from '../handwritten/audit-log.ts';

export type AuditEvent = SuccessAnswer<typeof events.exportAuditLog>[number];

export type AuditHead = SuccessAnswer<typeof events.getAuditLogHead>;

export type SiteAuditEvent = SuccessAnswer<typeof events.exportSiteAuditLog>[number];

/**
 * Export the audit log. Returns the last 100,000 events that match `q`, newest first, as a file
 * (`Content-Disposition`). For admins of organizations with the team plan or above.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404.
 * - 402: The organization needs the Team plan.
 */
export function exportAuditLog(
  params: Hub & {
    readonly name: string;
    /**
     * Terms `key:value` with the keys `author`, `ip` and `type`. Terms of the same key are alternatives, terms of
     * different keys must all match; a leading `-` excludes, `type:repo.*` matches a family, quotes allow spaces.
     */
    readonly q?: string | undefined;
  },
): Promise<SuccessAnswer<typeof events.exportAuditLog>> {
  return call<typeof events.exportAuditLog>(params, {
    method: 'GET',
    path: '/api/organizations/{name}/audit-log/export',
    params: { name: params.name },
    query: { q: params.q },
  });
}

/**
 * List the audit log. Newest first. For admins of organizations with the team plan or above. Returns the entries
 * of all pages, asking for `pageSize` at a time.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404.
 * - 402: The organization needs the Team plan.
 */
export function listAuditLog(
  params: Hub & {
    readonly name: string;
    /**
     * Terms `key:value` with the keys `author`, `ip` and `type`. Terms of the same key are alternatives, terms of
     * different keys must all match; a leading `-` excludes, `type:repo.*` matches a family, quotes allow spaces.
     */
    readonly q?: string | undefined;
    readonly pageSize?: number | undefined;
  },
): AsyncGenerator<Entry<typeof events.listAuditLog>, void, undefined> {
  return entriesOf<typeof events.listAuditLog>(params, {
    method: 'GET',
    path: '/api/organizations/{name}/audit-log',
    params: { name: params.name },
    query: { q: params.q, limit: params.pageSize },
  });
}

/**
 * Get the head of the audit log.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404.
 * - 402: The organization needs the Team plan.
 */
export function getAuditLogHead(
  params: Hub & {
    readonly name: string;
  },
): Promise<SuccessAnswer<typeof events.getAuditLogHead>> {
  return call<typeof events.getAuditLogHead>(params, {
    method: 'GET',
    path: '/api/organizations/{name}/audit-log/head',
    params: { name: params.name },
  });
}

/**
 * Export the audit log of the hub. What site administrators, operators and users did outside of organizations: the
 * last 100,000 events that match `q`, newest first, as a file (`Content-Disposition`).
 *
 * Throws a `HubApiError`: 400, 401, 403.
 */
export function exportSiteAuditLog(
  params: Hub & {
    /** Terms as in the audit log of an organization, with the types of this log, as in `type:token.*`. */
    readonly q?: string | undefined;
  },
): Promise<SuccessAnswer<typeof events.exportSiteAuditLog>> {
  return call<typeof events.exportSiteAuditLog>(params, {
    method: 'GET',
    path: '/api/admin/audit-log/export',
    query: { q: params.q },
  });
}

/**
 * List the audit log of the hub. Newest first: what site administrators, operators and users did outside of
 * organizations. Returns the entries of all pages, asking for `pageSize` at a time.
 *
 * Throws a `HubApiError`: 400, 401, 403.
 */
export function listSiteAuditLog(
  params: Hub & {
    /** Terms as in the audit log of an organization, with the types of this log, as in `type:token.*`. */
    readonly q?: string | undefined;
    readonly pageSize?: number | undefined;
  },
): AsyncGenerator<Entry<typeof events.listSiteAuditLog>, void, undefined> {
  return entriesOf<typeof events.listSiteAuditLog>(params, {
    method: 'GET',
    path: '/api/admin/audit-log',
    query: { q: params.q, limit: params.pageSize },
  });
}

/**
 * Get the head of the audit log of the hub.
 *
 * Throws a `HubApiError`: 401, 403.
 */
export function getSiteAuditLogHead(params: Hub): Promise<SuccessAnswer<typeof events.getSiteAuditLogHead>> {
  return call<typeof events.getSiteAuditLogHead>(params, { method: 'GET', path: '/api/admin/audit-log/head' });
}
