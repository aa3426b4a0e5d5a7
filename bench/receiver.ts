import { createHmac } from 'node:crypto';
import { nextLine, startChild } from './child.ts';
import { load, requestBytes } from './load.ts';
import type { Scale } from './scale.ts';
import { type Figure, ratio } from './stats.ts';

const SECRET = 'a secret';
const CONNECTIONS = 16;
const id = (digit: string) => digit.repeat(24);

/** What a hub delivers when a branch is made. */
const BODY = JSON.stringify({
  event: { action: 'update', scope: 'repo.content' },
  repo: {
    type: 'model',
    name: 'admin/model-7',
    id: id('a'),
    private: false,
    url: { web: 'http://127.0.0.1:7780/admin/model-7', api: 'http://127.0.0.1:7780/api/models/admin/model-7' },
    owner: { id: id('b') },
    headSha: 'c'.repeat(40),
  },
  updatedRefs: [{ ref: 'refs/heads/warm-1234', oldSha: null, newSha: 'c'.repeat(40) }],
  webhook: { id: id('d'), version: 3 },
});

/** Deliveries that nobody has seen, each with an id and a signature of its own, made before they are sent. */
export function deliveries(url: URL, count: number, prefix: string): () => string {
  const made = Array.from({ length: count }, (_, at) => {
    const delivery = `${prefix}-${at}`;
    const seconds = String(Math.floor(Date.now() / 1000));
    const signature = createHmac('sha256', SECRET).update(`${delivery}.${seconds}.${BODY}`).digest('base64');
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Moonbase-Webhooks/1',
      'webhook-id': delivery,
      'webhook-timestamp': seconds,
      'x-webhook-secret': SECRET,
      'webhook-signature': `v1,${signature}`,
    };
    return requestBytes(url, 'POST', url.pathname, headers, BODY);
  });
  return () => made.pop() ?? '';
}

async function requestsPerSecond(url: string, requests: number, prefix: string): Promise<number> {
  const target = new URL(url);
  return load({ url: target, connections: CONNECTIONS, requests, next: deliveries(target, requests, prefix) });
}

/** The receiver library on node:http, beside a server that reads and parses the same bodies and verifies nothing. */
export async function benchReceiver({ rounds, requests }: Scale): Promise<Figure[]> {
  await using library = startChild('receiver-target.mjs', ['library', SECRET]);
  await using bare = startChild('receiver-target.mjs', ['bare']);
  const [libraryUrl, bareUrl] = [await nextLine(library), await nextLine(bare)];
  for (const url of [libraryUrl, bareUrl]) await requestsPerSecond(url, requests / 2, 'warm');
  const pairs: [number, number][] = [];
  for (let round = 0; round < rounds; round++)
    pairs.push([
      await requestsPerSecond(libraryUrl, requests, `r${round}`),
      await requestsPerSecond(bareUrl, requests, `r${round}`),
    ]);
  return [
    {
      name: 'receiver library on node:http, to a bare server that reads and parses',
      value: ratio(pairs),
      unit: 'ratio',
      bound: { atLeast: 0.7 },
      rounds: pairs,
    },
  ];
}
