import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nextLine, startChild } from './child.ts';
import { ACCESS_TOKEN, type BenchHub } from './hub.ts';
import { load, requestBytes } from './load.ts';
import { queriesOf } from './queries-of.ts';
import type { Scale } from './scale.ts';
import { type Figure, ratio } from './stats.ts';

const CONNECTIONS = 32;

interface Page {
  readonly name: string;
  readonly path: string;
  /** The least ratio to a server that has the page in memory. */
  readonly atLeast: number;
}

/**
 * Measures a page of a hub against two bare servers in turns: one that has it in memory, and one that also runs the queries of
 * the hub for it.
 */
export async function besideBare(hub: BenchHub, page: Page, { rounds, requests }: Scale): Promise<Figure[]> {
  const replay = await queriesOf(hub, page.path);
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-bench-'));
  const file = join(folder, 'replay.json');
  await writeFile(file, JSON.stringify(replay));
  try {
    const place = 'url' in hub.database ? hub.database.url : hub.database.folder;
    await using inMemory = startChild('bare-list.ts', [replay.text]);
    await using querying = startChild('bare-replay.ts', [file, place]);
    const [memoryUrl, queryUrl] = [new URL(await nextLine(inMemory)), new URL(await nextLine(querying))];
    const run = (url: URL, path: string, count = requests) =>
      load({
        ...{ url, connections: CONNECTIONS, requests: count },
        next: () => requestBytes(url, 'GET', path, { authorization: `Bearer ${ACCESS_TOKEN}` }),
      });
    await run(hub.url, page.path);
    await run(queryUrl, '/', requests / 4);
    const toMemory: [number, number][] = [];
    const toQueries: [number, number][] = [];
    for (let round = 0; round < rounds; round++) {
      const ours = await run(hub.url, page.path);
      toMemory.push([ours, await run(memoryUrl, '/')]);
      toQueries.push([ours, await run(queryUrl, '/')]);
    }
    const { atLeast } = page;
    return [
      {
        name: `${page.name}, to bare node:http`,
        value: ratio(toMemory),
        unit: 'ratio',
        bound: { atLeast },
        rounds: toMemory,
      },
      {
        ...{ name: `${page.name}, to bare node:http with the same queries`, value: ratio(toQueries) },
        ...{ unit: 'ratio', rounds: toQueries, note: `${replay.queries.length} queries` },
      },
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
}
