import { nextLine, startChild } from './child.ts';
import { allRecorded, newBranches, watchedRepos } from './deliveries.ts';
import { fillLog } from './full-log.ts';
import { type BenchHub, engine, startBenchHub } from './hub.ts';
import { load } from './load.ts';
import type { Scale } from './scale.ts';
import { newestEvent } from './start-bare-hub.ts';
import { type Figure, ratio } from './stats.ts';

const CONNECTIONS = 16;
/** The connections of the bare loop: on PostgreSQL as many as the hub has, on SQLite one. */
const LOOPS = 10;

/** Measures changes against a bare loop that writes the same rows in the same transactions. */
export async function benchChanges(scale: Scale): Promise<Figure[]> {
  const empty = await measured(scale, 0);
  const full = await measured(scale, scale.logEntries);
  return [
    {
      name: 'changes, to a bare loop of the same transactions',
      value: ratio(empty),
      unit: 'ratio',
      bound: { atLeast: engine === 'sqlite' ? 0.5 : 0.3 },
      rounds: empty,
    },
    {
      name: `changes, with ${scale.logEntries.toLocaleString('en')} deliveries in the log to without`,
      value: ratio(full) / ratio(empty),
      unit: 'ratio',
      bound: { atLeast: 1 / 1.3 },
      grows: 'rows',
      rounds: full,
    },
  ];
}

async function measured({ changes, rounds }: Scale, logEntries: number): Promise<[number, number][]> {
  await using hub = await startBenchHub();
  const webhooks = await watchedRepos(hub, logEntries > 0 ? ['https://example.com/'] : []);
  if (logEntries > 0) {
    await fillLog(hub, logEntries, webhooks);
    await hub.side.run(`update webhooks set state = 'disabled'`);
    await hub.side.run(`update deliveries set status = 'failed' where status = 'pending'`);
  }
  await changesPerSecond(hub, changes / 4, 'warm');
  await hub.side.settle();
  const data = await newestEvent(hub);
  const pairs: [number, number][] = [];
  for (let round = 0; round < rounds; round++) {
    const ours = await changesPerSecond(hub, changes, `r${round}`);
    await allRecorded(hub, 60_000);
    pairs.push([ours, await bareWrites(hub, changes, data)]);
  }
  return pairs;
}

const changesPerSecond = (hub: BenchHub, requests: number, prefix: string): Promise<number> =>
  load({ url: hub.url, connections: CONNECTIONS, requests, next: newBranches(hub, prefix) });

async function bareWrites(hub: BenchHub, count: number, data: string): Promise<number> {
  const place = 'url' in hub.database ? [hub.database.url] : [];
  await using child = startChild('bare-writes.ts', [String(count), String(LOOPS), data, ...place]);
  return Number(await nextLine(child));
}
