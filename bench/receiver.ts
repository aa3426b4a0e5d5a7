import { createHmac } from 'node:crypto';
import { nextLine, startChild } from './child.ts';
import { load, requestBytes } from './load.ts';
import type { Scale } from './scale.ts';
import { type Figure, ratio } from './stats.ts';

const SECRET = 'a secret';
const CONNECTIONS = 16;
const id = (digit: string) => digit.repeat(24);

/** The payload of a new branch. */
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

type Headers = (delivery: string) => Record<string, string>;

const SENDERS: Readonly<Record<string, Headers>> = {
  'secret in a header, as the public hub': () => ({ 'x-webhook-secret': SECRET }),
  'signed, as this hub': (delivery) => {
    const seconds = String(Math.floor(Date.now() / 1000));
    const signature = createHmac('sha256', SECRET).update(`${delivery}.${seconds}.${BODY}`).digest('base64');
    return {
      'webhook-id': delivery,
      'webhook-timestamp': seconds,
      'x-webhook-secret': SECRET,
      'webhook-signature': `v1,${signature}`,
    };
  },
};

/** Prepares deliveries with distinct ids before they are sent. */
function deliveries(url: URL, headers: Headers, count: number, prefix: string): () => string {
  const common = { 'content-type': 'application/json', 'user-agent': 'Moonbase-Webhooks/1' };
  const made = Array.from({ length: count }, (_, at) =>
    requestBytes(url, 'POST', url.pathname, { ...common, ...headers(`${prefix}-${at}`) }, BODY),
  );
  return () => made.pop() ?? '';
}

/** The servers that the library is compared with, by what `receiver-target.mjs` calls them. */
const BARE = [
  { mode: 'verifying', name: 'a bare server that verifies by hand', atLeast: 0.85 },
  { mode: 'bare', name: 'a bare server that reads and parses', atLeast: undefined },
] as const;

/** Measures the receiver library on node:http against servers that verify the same deliveries by hand, or not at all. */
export async function benchReceiver({ rounds, requests }: Scale): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [sender, headers] of Object.entries(SENDERS)) {
    await using library = startChild('receiver-target.mjs', ['library', SECRET]);
    const libraryUrl = new URL(await nextLine(library));
    const perSecond = (url: URL, prefix: string, count = requests) =>
      load({ url, connections: CONNECTIONS, requests: count, next: deliveries(url, headers, count, prefix) });
    await perSecond(libraryUrl, 'warm', requests * 2);
    for (const { mode, name, atLeast } of BARE) {
      await using bare = startChild('receiver-target.mjs', [mode, SECRET]);
      const bareUrl = new URL(await nextLine(bare));
      await perSecond(bareUrl, 'warm', requests * 2);
      const pairs: [number, number][] = [];
      for (let round = 0; round < rounds; round++)
        pairs.push([await perSecond(libraryUrl, `${mode}-${round}`), await perSecond(bareUrl, `${mode}-${round}`)]);
      figures.push({
        name: `receiver library on node:http, ${sender}, to ${name}`,
        ...{ value: ratio(pairs), unit: 'ratio', rounds: pairs, ...(atLeast && { bound: { atLeast } }) },
      });
    }
  }
  return figures;
}
