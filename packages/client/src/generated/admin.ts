// Written by `npm run generate` from the routes of packages/contract: edit those.
import type * as deadLetters from '@moonbase/contract/admin/dead-letters';
import type * as hubDocument from '@moonbase/contract/admin/hub-document';
import type * as lists from '@moonbase/contract/admin/lists';
import type * as retention from '@moonbase/contract/admin/retention';
import type * as settings from '@moonbase/contract/admin/settings';
import type * as status from '@moonbase/contract/admin/status';
import type * as storage from '@moonbase/contract/admin/storage';
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

export type BackupStatus = NonNullable<SuccessAnswer<typeof status.getHubStatus>['backup']>;

export type ReceiverFailures = SuccessAnswer<typeof status.getHubStatus>['day']['receivers'][number];

export type Retention = SuccessAnswer<typeof retention.getRetention>[number];

export type RetentionSetting = SuccessAnswer<typeof retention.getRetention>[number]['settings'][number];

export type HubSetting = SuccessAnswer<typeof settings.listHubSettings>[number];

export type StorageCollection = SuccessAnswer<typeof storage.collectStorage>;

export type CollectedFiles = SuccessAnswer<typeof storage.collectStorage>['repositories'][number];

/**
 * Apply a hub document. Idempotent. The whole document is checked first: an invalid one changes nothing, and each
 * error is returned with its path. A document with more than 100 items is applied in steps; if it is interrupted,
 * apply it again.
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
    /** Text to search for in name, full name or e-mail address, ignoring case. */
    readonly search?: string | undefined;
    /** true: only disabled users; false: only enabled users. */
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
 * Get a user as site administrators see it.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function getUserEntry(
  params: Hub & {
    readonly username: string;
  },
): Promise<SuccessAnswer<typeof lists.getUserEntry>> {
  return call<typeof lists.getUserEntry>(params, {
    method: 'GET',
    path: '/api/admin/users/{username}',
    params: { username: params.username },
  });
}

/**
 * Create a user. The user has no password yet: `POST /api/admin/users/{username}/links` creates a link with which
 * the user sets one.
 *
 * Throws a `HubApiError`: 400, 401, 403, 409.
 * - 409: Another user has the name or the address.
 */
export function createUser(
  params: Hub & {
    readonly name: string;
    readonly fullname?: string | undefined;
    /** Counts as confirmed. */
    readonly email?: RouteBody<typeof lists.createUser>['email'];
    /** Whether the user is a site administrator. */
    readonly isAdmin?: boolean | undefined;
  },
): Promise<SuccessAnswer<typeof lists.createUser>> {
  return call<typeof lists.createUser>(params, {
    method: 'POST',
    path: '/api/admin/users',
    body: { name: params.name, fullname: params.fullname, email: params.email, isAdmin: params.isAdmin },
  });
}

/**
 * List the organizations of the hub, including deleted ones, newest first. Returns the entries of all pages,
 * asking for `pageSize` at a time.
 *
 * Throws a `HubApiError`: 400, 401, 403.
 */
export function listOrganizations(
  params: Hub & {
    /** Text to search for in name or full name, ignoring case. */
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
 * List dead letters, newest first. Items that failed five times, or that three processes were processing when they
 * died. Returns the entries of all pages, asking for `pageSize` at a time.
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
 * Retry a dead letter. Puts the item back into its queue, due at once. 410 if the item no longer exists, for
 * example because its organization was deleted.
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
 * Discard a dead letter. The remaining reactions to an event do not run; a task is not done; a delivery or mail
 * stays failed; a job ends with `ERROR`; scheduled work runs again at its next time.
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
 * Get the health of the hub: queues, deliveries of the last day, failing receivers.
 *
 * Throws a `HubApiError`: 401, 403.
 */
export function getHubStatus(params: Hub): Promise<SuccessAnswer<typeof status.getHubStatus>> {
  return call<typeof status.getHubStatus>(params, { method: 'GET', path: '/api/admin/status' });
}

/**
 * Get how long the hub keeps what, which settings change that, what there is and what was deleted.
 *
 * Throws a `HubApiError`: 401, 403.
 */
export function getRetention(params: Hub): Promise<SuccessAnswer<typeof retention.getRetention>> {
  return call<typeof retention.getRetention>(params, { method: 'GET', path: '/api/admin/retention' });
}

/**
 * List the settings of the hub with the values in force. In the order of docs/configuration.md, as the responding
 * process read them at its start. Of secrets the list says only whether they are set.
 *
 * Throws a `HubApiError`: 401, 403.
 */
export function listHubSettings(params: Hub): Promise<SuccessAnswer<typeof settings.listHubSettings>> {
  return call<typeof settings.listHubSettings>(params, { method: 'GET', path: '/api/admin/settings' });
}

/**
 * Delete large files that no repository has had for the grace period. The hub does so by itself within the hour.
 * With `dryRun`, nothing changes; otherwise the bytes of what is `due` are deleted within minutes.
 *
 * Throws a `HubApiError`: 400, 401, 403, 409.
 */
export function collectStorage(
  params: Hub & {
    readonly dryRun: boolean;
  },
): Promise<SuccessAnswer<typeof storage.collectStorage>> {
  return call<typeof storage.collectStorage>(params, {
    method: 'POST',
    path: '/api/admin/storage/collect',
    body: { dryRun: params.dryRun },
  });
}
