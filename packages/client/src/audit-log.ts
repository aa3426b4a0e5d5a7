import type * as routes from '@moonbase/contract/audit-log/events';
import type { Entry, SuccessAnswer } from './operation.ts';
import { entriesOf } from './pages.ts';
import { call, type Hub, send, urlOf } from './request.ts';

export type { AuditEvent, AuditHead } from '@moonbase/contract/audit-log/events';

interface Asked extends Hub {
  /** The organization. */
  readonly name: string;
}

interface Searched extends Asked {
  /** As in `author:ada type:repo.* -ip:10.0.0.1`. */
  readonly q?: string | undefined;
}

const EXPORT: (typeof routes.exportAuditLog)['path'] = '/api/organizations/{name}/audit-log/export';

/**
 * The last 100,000 events of an organization that fit `q`, newest first, at once; `downloadAuditLog` gives them as they
 * come. Throws a `HubApiError`: 400 for a `q` that cannot be read, 401, 402 without the team plan, 403 for who is no
 * admin, 404.
 */
export function exportAuditLog({ name, q, ...hub }: Searched): Promise<SuccessAnswer<typeof routes.exportAuditLog>> {
  return call<typeof routes.exportAuditLog>(hub, { method: 'GET', path: EXPORT, params: { name }, query: { q } });
}

/** The same as the text of a JSON array, piece by piece, and the name of a file for it. */
export async function downloadAuditLog({
  name,
  q,
  ...hub
}: Searched): Promise<{ readonly fileName: string | undefined; readonly text: ReadableStream<Uint8Array> }> {
  const response = await send(hub, urlOf(hub, { path: EXPORT, params: { name }, query: { q } }), { method: 'GET' });
  if (!response.body) throw new TypeError('The answer has no body');
  const fileName = /filename="([\w.-]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
  return { fileName, text: response.body };
}

/** Events of an organization, newest first, over all pages. Throws a `HubApiError`: 400, 401, 402, 403, 404. */
export function listAuditLog({
  name,
  q,
  pageSize,
  ...hub
}: Searched & { readonly pageSize?: number | undefined }): AsyncGenerator<
  Entry<typeof routes.listAuditLog>,
  void,
  undefined
> {
  return entriesOf<typeof routes.listAuditLog>(hub, {
    method: 'GET',
    path: '/api/organizations/{name}/audit-log',
    params: { name },
    query: { q, limit: pageSize?.toString() },
  });
}

/** First and last `seq` and hash of an organization's log. Throws a `HubApiError`: 401, 402, 403, 404. */
export function getAuditLogHead({ name, ...hub }: Asked): Promise<SuccessAnswer<typeof routes.getAuditLogHead>> {
  return call<typeof routes.getAuditLogHead>(hub, {
    method: 'GET',
    path: '/api/organizations/{name}/audit-log/head',
    params: { name },
  });
}
