import type * as routes from '@moonbase/contract/admin';
import type { RouteBody, SuccessAnswer } from './operation.ts';
import { call, type Hub } from './request.ts';

export type { HubReport } from '@moonbase/contract/admin';

/** The document that fills a hub, as it is sent: everything but names is optional. */
export type HubDocument = RouteBody<typeof routes.applyHub>;

/**
 * Brings a hub to what a document says, all of it or nothing; answers counts per kind and the tokens it made, once.
 * Needs the token of a site administrator. Throws a `HubApiError`: 400 with `issues`, 401, 403.
 *
 * ```ts
 * const { newTokens } = await applyHub({
 *   hubUrl, accessToken,
 *   document: { users: [{ name: 'ada', tokens: [{ name: 'laptop' }] }] },
 * });
 * ```
 */
export function applyHub(
  params: Hub & { readonly document: HubDocument },
): Promise<SuccessAnswer<typeof routes.applyHub>> {
  return call<typeof routes.applyHub>(params, { method: 'PUT', path: '/api/admin/hub', body: params.document });
}
