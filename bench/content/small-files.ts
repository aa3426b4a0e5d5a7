import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRepo } from '@moonbase/client/repositories';
import { nextLine, startChild } from '../child.ts';
import { ACCESS_TOKEN, type BenchHub } from '../hub.ts';
import { load, requestBytes } from '../load.ts';
import type { Scale } from '../scale.ts';
import { type Figure, ratio } from '../stats.ts';
import { commitBytes } from './commits.ts';

const CONNECTIONS = 8;
const CONTENT = 'A line of a small file.\n'.repeat(85);
const TOKEN = { authorization: `Bearer ${ACCESS_TOKEN}` };
/** Headers of a connection, which every server sets by itself. */
const OF_CONNECTION = new Set(['connection', 'keep-alive', 'date', 'transfer-encoding', 'content-length']);

/** Measures HEAD and GET of a file of 2 kB against a bare server that answers the same headers from the disk. */
export async function smallFiles(hub: BenchHub, { requests, rounds }: Scale, prefix: string): Promise<Figure[]> {
  const repo = `admin/${prefix}-resolved`;
  await createRepo({ ...hub.connection, type: 'model', repo });
  const bytes = commitBytes(hub, repo, [{ path: 'config.json', content: CONTENT }]);
  await load({ url: hub.url, connections: 1, requests: 1, next: () => bytes });
  const path = `/${repo}/resolve/main/config.json`;
  const { headers } = await fetch(new URL(path, hub.url), { headers: TOKEN });
  const same = Object.fromEntries([...headers].filter(([name]) => !OF_CONNECTION.has(name)));
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-bench-small-'));
  try {
    await writeFile(join(folder, 'file'), CONTENT);
    await using bare = startChild('content/bare-files.ts', [join(folder, 'file'), JSON.stringify(same)]);
    const reference = new URL(await nextLine(bare));
    const rate = (url: URL, method: string, at: string) =>
      load({ url, connections: CONNECTIONS, requests, next: () => requestBytes(url, method, at, TOKEN) });
    const figures: Figure[] = [];
    for (const method of ['HEAD', 'GET']) {
      const pairs: [number, number][] = [];
      for (let round = 0; round < rounds; round++)
        pairs.push([await rate(hub.url, method, path), await rate(reference, method, '/')]);
      figures.push({
        name: `${method} of a file of 2 kB, to a bare server with the same headers`,
        ...{ value: ratio(pairs), unit: 'ratio', bound: { atLeast: 0.35 }, rounds: pairs },
      });
    }
    return figures;
  } finally {
    await rm(folder, { recursive: true });
  }
}
