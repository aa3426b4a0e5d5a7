import type { RouteDeclaration } from '@moonbase/contract/route';
import type { Entry, Operation } from './operation.ts';
import { answerOf, type Hub, send, urlOf } from './request.ts';

/**
 * Returns the targets of a `Link` header by their relations (RFC 8288).
 *
 * ```ts
 * parseLinks('<https://hub.test/api/things?cursor=2>; rel="next"'); // { next: 'https://hub.test/api/things?cursor=2' }
 * ```
 */
export function parseLinks(header: string | null): Readonly<Record<string, string>> {
  const links = [...(header ?? '').matchAll(/<([^>]*)>((?:[^,"]|"[^"]*")*)/g)];
  return Object.fromEntries(
    links.flatMap(([, target = '', attributes = '']) => {
      const relations = /^(?:[^"]|"[^"]*")*?;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(attributes);
      const names = (relations?.[1] ?? relations?.[2] ?? '').split(/\s+/).filter(Boolean);
      return names.map((name) => [name, target]);
    }),
  );
}

/** Yields every entry of a list, page after page; requests the next page once the previous entries are consumed. */
export async function* entriesOf<R extends RouteDeclaration>(
  hub: Hub,
  operation: Operation<R>,
): AsyncGenerator<Entry<R>, void, undefined> {
  let url: string | undefined = urlOf(hub, operation);
  while (url !== undefined) {
    const response: Response = await send(hub, url, { method: operation.method });
    yield* await answerOf<readonly Entry<R>[]>(response, url);
    url = nextUrl(url, response.headers.get('link'));
  }
}

/** One page of a list. */
export interface Page<T> {
  readonly entries: readonly T[];
  /** The cursor of the next page; undefined after the last one. */
  readonly cursor: string | undefined;
}

/** Returns the page at the `cursor` of an operation; without a cursor, the first page. */
export async function pageOf<R extends RouteDeclaration>(hub: Hub, operation: Operation<R>): Promise<Page<Entry<R>>> {
  const url = urlOf(hub, operation);
  const response = await send(hub, url, { method: operation.method });
  const entries = await answerOf<readonly Entry<R>[]>(response, url);
  const next = nextUrl(url, response.headers.get('link'));
  return { entries, cursor: next === undefined ? undefined : (new URL(next).searchParams.get('cursor') ?? undefined) };
}

/**
 * Returns the URL of the next page. Only the query is taken from the link, so that the token is never sent to another
 * host.
 */
function nextUrl(url: string, header: string | null): string | undefined {
  const { next } = parseLinks(header);
  if (next === undefined) return undefined;
  const nextPage = new URL(url);
  nextPage.search = new URL(next, nextPage).search;
  return nextPage.href === new URL(url).href ? undefined : nextPage.href;
}
