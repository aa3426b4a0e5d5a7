import type * as routes from '@moonbase/contract/audit-log/events';
import { type Hub, send, urlOf } from '../request.ts';

/**
 * Returns the audit log of an organization, or of the hub without `name`, as a JSON array, in pieces of text, and a name for
 * the file; `exportAuditLog` and `exportSiteAuditLog` return the whole array at once. Throws a `HubApiError`: 400, 401, 402,
 * 403, 404, 503.
 */
export async function downloadAuditLog(
  params: Hub & {
    /** The organization; absent: what happened outside of organizations, for site administrators. */
    readonly name?: string | undefined;
    /** A filter, as in `author:ada type:repo.* -ip:10.0.0.1`. */
    readonly q?: string | undefined;
  },
): Promise<{ readonly fileName: string | undefined; readonly text: ReadableStream<Uint8Array> }> {
  const { name, q } = params;
  const ofOrganization: (typeof routes.exportAuditLog)['path'] = '/api/organizations/{name}/audit-log/export';
  const ofSite: (typeof routes.exportSiteAuditLog)['path'] = '/api/admin/audit-log/export';
  const target = name === undefined ? { path: ofSite } : { path: ofOrganization, params: { name } };
  const response = await send(params, urlOf(params, { ...target, query: { q } }), { method: 'GET' });
  if (!response.body) throw new TypeError('The answer has no body');
  const fileName = /filename="([\w.-]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
  return { fileName, text: response.body };
}
