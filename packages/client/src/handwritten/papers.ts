import type * as routes from '@moonbase/contract/papers/papers';
import { type Hub, send, urlOf } from '../request.ts';

/** Returns a paper's title, authors and summary as Markdown. Throws a `HubApiError`: 404. */
export async function getPaperText(params: Hub & { readonly paperId: string }): Promise<string> {
  const path: (typeof routes.getPaperText)['path'] = '/papers/{paperId}.md';
  const url = urlOf(params, { path, params: { paperId: params.paperId } });
  return (await send(params, url, { method: 'GET' })).text();
}
