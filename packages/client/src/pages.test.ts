import { describe, expect, test } from 'vitest';
import { listDeliveries } from './generated/webhooks.ts';
import { parseLinks } from './pages.ts';
import type { Fetch } from './request.ts';

describe('a Link header', () => {
  test.each<[string | null, Record<string, string>]>([
    [null, {}],
    ['', {}],
    ['nonsense', {}],
    ['<http://a/?c=1>; rel="next"', { next: 'http://a/?c=1' }],
    ['<http://a/?c=1>;rel=next', { next: 'http://a/?c=1' }],
    ['<http://a/?x=1,2;3>; title="a, b; rel=x"; rel="next"', { next: 'http://a/?x=1,2;3' }],
    [
      '<http://a/1>; rel="prev", <http://a/3>; rel="next last"',
      { prev: 'http://a/1', next: 'http://a/3', last: 'http://a/3' },
    ],
  ])('%s', (header, links) => {
    expect(parseLinks(header)).toEqual(links);
  });
});

describe('a list of several pages', () => {
  /** Returns a list of pages, each of which links to the next at `origin`, and the requested URLs. */
  function pagesAt(origin: string, ...pages: string[][]) {
    const urls: string[] = [];
    const fetch: Fetch = async (url) => {
      const at = urls.push(url);
      const link = `<${origin}/api/settings/webhooks/w/logs?status=failed&cursor=${at}>; rel="next"`;
      return Response.json(
        (pages[at - 1] ?? []).map((id) => ({ id })),
        at < pages.length ? { headers: { Link: link } } : {},
      );
    };
    const list = () =>
      listDeliveries({ hubUrl: 'http://hub.test', fetch, webhookId: 'w', status: 'failed', pageSize: 10 });
    return { urls, list };
  }

  test('yields every entry in order and keeps the filters', async () => {
    const { urls, list } = pagesAt('http://hub.test', ['a', 'b'], [], ['c']);
    const ids: string[] = [];
    for await (const { id } of list()) ids.push(id);
    expect(ids).toEqual(['a', 'b', 'c']);
    expect(urls).toEqual([
      'http://hub.test/api/settings/webhooks/w/logs?status=failed&limit=10',
      'http://hub.test/api/settings/webhooks/w/logs?status=failed&cursor=1',
      'http://hub.test/api/settings/webhooks/w/logs?status=failed&cursor=2',
    ]);
  });

  test('requests only the pages that are read', async () => {
    const { urls, list } = pagesAt('http://hub.test', ['a'], ['b']);
    for await (const { id } of list()) if (id === 'a') break;
    expect(urls).toHaveLength(1);
  });

  test('never leaves the hub, whatever host the link names', async () => {
    const { urls, list } = pagesAt('https://elsewhere.test', ['a'], ['b']);
    for await (const _ of list());
    expect(urls.map((url) => new URL(url).origin)).toEqual(['http://hub.test', 'http://hub.test']);
  });

  test('throws when a later page is an error', async () => {
    let asked = 0;
    const fetch: Fetch = async () =>
      ++asked === 1
        ? Response.json([{ id: 'a' }], { headers: { Link: '<?cursor=1>; rel="next"' } })
        : Response.json({ error: 'Gone' }, { status: 404 });
    const entries = listDeliveries({ hubUrl: 'http://hub.test', fetch, webhookId: 'w' });
    expect(await entries.next()).toMatchObject({ value: { id: 'a' } });
    await expect(entries.next()).rejects.toThrow('Gone');
  });
});
