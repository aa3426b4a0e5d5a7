import { nextLine, startChild } from './child.ts';
import { allRecorded, newBranches, watchedRepos } from './deliveries.ts';
import { type BenchHub, startBenchHub } from './hub.ts';
import { load } from './load.ts';

const CONNECTIONS = 16;

export async function benchChanges(count: number, rounds: number) {
  await using hub = await startBenchHub();
  await watchedRepos(hub, []);
  await changesPerSecond(hub, count / 4, 'warm');
  const data = await hub.side.text(`select data from events where topic = 'repo' order by id desc limit 1`);
  const pairs: [number, number][] = [];
  for (let round = 0; round < rounds; round++) {
    const ours = await changesPerSecond(hub, count, `r${round}`);
    await allRecorded(hub, 60_000);
    const bare = await bareWrites(hub, count, data);
    pairs.push([ours, bare]);
    console.log(round, Math.round(ours), Math.round(bare), (ours / bare).toFixed(3));
  }
  return pairs;
}

const changesPerSecond = (hub: BenchHub, requests: number, prefix: string): Promise<number> =>
  load({ url: hub.url, connections: CONNECTIONS, requests, next: newBranches(hub, prefix) });

async function bareWrites(hub: BenchHub, count: number, data: string): Promise<number> {
  const place = 'url' in hub.database ? [hub.database.url] : [];
  await using child = startChild('bare-writes.ts', [String(count), '10', data, ...place]);
  return Number(await nextLine(child));
}

if (process.argv[1]?.endsWith('changes.ts'))
  await benchChanges(Number(process.argv[2] ?? 4000), Number(process.argv[3] ?? 3));
