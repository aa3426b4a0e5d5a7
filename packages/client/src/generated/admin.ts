// Written by `npm run generate` from the routes of packages/contract: edit those.
import type * as deadLetters from '@moonbase/contract/admin/dead-letters';
import type * as hubDocument from '@moonbase/contract/admin/hub-document';
import type * as lists from '@moonbase/contract/admin/lists';
import type * as status from '@moonbase/contract/admin/status';
import type { Entry, RouteBody, RouteQuery, SuccessAnswer } from '../operation.ts';
import { entriesOf } from '../pages.ts';
import { call, type Hub } from '../request.ts';

export type HubReport = SuccessAnswer<typeof hubDocument.applyHub>;

export type HubDocument = RouteBody<typeof hubDocument.applyHub>;

export type UserEntry = SuccessAnswer<typeof lists.listUsers>[number];

export type OrganizationEntry = SuccessAnswer<typeof lists.listOrganizations>[number];

export type DeadLetter = SuccessAnswer<typeof deadLetters.listDeadLetters>[number];

export type DeadLetterQueue = SuccessAnswer<typeof deadLetters.listDeadLetters>[number]['queue'];

export type HubStatus = SuccessAnswer<typeof status.getHubStatus>;

export type QueueStatus = SuccessAnswer<typeof status.getHubStatus>['queues'][number];

export type ReceiverFailures = SuccessAnswer<typeof status.getHubStatus>['day']['receivers'][number];

/**
 * Fill the hub from a document. Idempotent, one transaction: a bad document changes nothing and names each fault
 * with its path.
 *
 * Throws a `HubApiError`: 400, 401, 403, 409.
 */
export function applyHub(
  params: Hub & {
    readonly document: RouteBody<typeof hubDocument.applyHub>;
  },
): Promise<SuccessAnswer<typeof hubDocument.applyHub>> {
  return call<typeof hubDocument.applyHub>(params, { method: 'PUT', path: '/api/admin/hub', body: params.document });
}

/**
 * List the users of the hub, newest first. Returns the entries of all pages, asking for `pageSize` at a time.
 *
 * Throws a `HubApiError`: 400, 401, 403.
 */
export function listUsers(
  params: Hub & {
    /** In name, full name or e-mail address, in either case. */
    readonly search?: string | undefined;
    /** Only those who are disabled, or only the others. */
    readonly disabled?: boolean | undefined;
    readonly pageSize?: number | undefined;
  },
): AsyncGenerator<Entry<typeof lists.listUsers>, void, undefined> {
  return entriesOf<typeof lists.listUsers>(params, {
    method: 'GET',
    path: '/api/admin/users',
    query: { search: params.search, disabled: params.disabled, limit: params.pageSize },
  });
}

/**
 * List the organizations of the hub, newest first, deleted ones as well. Returns the entries of all pages, asking
 * for `pageSize` at a time.
 *
 * Throws a `HubApiError`: 400, 401, 403.
 */
export function listOrganizations(
  params: Hub & {
    /** In name or full name, in either case. */
    readonly search?: string | undefined;
    readonly pageSize?: number | undefined;
  },
): AsyncGenerator<Entry<typeof lists.listOrganizations>, void, undefined> {
  return entriesOf<typeof lists.listOrganizations>(params, {
    method: 'GET',
    path: '/api/admin/organizations',
    query: { search: params.search, limit: params.pageSize },
  });
}

/**
 * List what the queues of the hub set aside, newest first. What failed five times, or was in hand when the process
 * died three times. Returns the entries of all pages, asking for `pageSize` at a time.
 *
 * Throws a `HubApiError`: 400, 401, 403.
 */
export function listDeadLetters(
  params: Hub & {
    readonly queue?: RouteQuery<typeof deadLetters.listDeadLetters>['queue'];
    readonly pageSize?: number | undefined;
  },
): AsyncGenerator<Entry<typeof deadLetters.listDeadLetters>, void, undefined> {
  return entriesOf<typeof deadLetters.listDeadLetters>(params, {
    method: 'GET',
    path: '/api/admin/dead-letters',
    query: { queue: params.queue, limit: params.pageSize },
  });
}

/**
 * Put an item that was set aside back into its queue. Due at once. 410 where the item is gone, such as with its
 * organization.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function retryDeadLetter(
  params: Hub & {
    /** Object id: 24 lower-case hexadecimal characters. */
    readonly id: string;
  },
): Promise<SuccessAnswer<typeof deadLetters.retryDeadLetter>> {
  return call<typeof deadLetters.retryDeadLetter>(params, {
    method: 'POST',
    path: '/api/admin/dead-letters/{id}/retry',
    params: { id: params.id },
  });
}

/**
 * Give an item up that was set aside. The reactions that an event still has do not follow; a task is not done; a
 * delivery or mail stays failed; a job ends with `ERROR`; what begins again by the clock does so at its next time.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function discardDeadLetter(
  params: Hub & {
    /** Object id: 24 lower-case hexadecimal characters. */
    readonly id: string;
  },
): Promise<SuccessAnswer<typeof deadLetters.discardDeadLetter>> {
  return call<typeof deadLetters.discardDeadLetter>(params, {
    method: 'DELETE',
    path: '/api/admin/dead-letters/{id}',
    params: { id: params.id },
  });
}

/**
 * How the hub does: queues, deliveries of the last day, receivers that fail.
 *
 * Throws a `HubApiError`: 401, 403.
 */
export function getHubStatus(params: Hub): Promise<SuccessAnswer<typeof status.getHubStatus>> {
  return call<typeof status.getHubStatus>(params, { method: 'GET', path: '/api/admin/status' });
}
