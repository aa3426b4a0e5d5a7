import { cpus } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { nextLine, startChild } from './child.ts';
import { allRecorded, newBranches, watchedRepos } from './deliveries.ts';
import { ACCESS_TOKEN, createBenchDatabase, engine } from './hub.ts';
import { load } from './load.ts';
import { type Replicas, startReplicas } from './replicas.ts';
import type { Scale } from './scale.ts';
import { startShares, type Used } from './shares.ts';
import { type Figure, median } from './stats.ts';

const COUNTS = [1, 2, 4] as const;
/** The number of webhooks of each repository, each with a receiver of its own. */
const WEBHOOKS = 10;
/** The deliveries that each worker sends before the measurement, to compile its code and plan its queries. */
const WARMING = 4_000;
/** The time in which workers without deliveries settle down before the next measurement. */
const SETTLED_MS = 500;

interface DrainResult {
  readonly seconds: number;
  readonly used: Used;
}

/** Measures how 1, 2 and 4 worker replicas send a backlog: the cost of a delivery for each part, and the bottleneck. */
export async function benchWorkers({ workerDeliveries, rounds }: Scale): Promise<Figure[]> {
  if (engine !== 'postgres') return [];
  await using database = await createBenchDatabase();
  await using sink = startChild('sink.ts', [String(WEBHOOKS)]);
  const sinkUrls = (await nextLine(sink)).split(' ');
  await using api = await startReplicas(database, ['api']);
  const hubUrl = api.urls()[0] ?? '';
  const hub = { url: new URL(hubUrl), connection: { hubUrl, accessToken: ACCESS_TOKEN } };
  await watchedRepos(hub, sinkUrls);

  const drain = async (count: number, deliveries: number, prefix: string): Promise<DrainResult> => {
    await using workers = await startReplicas(database, Array(count).fill('worker'));
    const make = (number: number, name: string) =>
      load({ url: hub.url, connections: 8, requests: number / WEBHOOKS, next: newBranches(hub, name) });
    await make(Math.min(WARMING, deliveries) * count, `${prefix}-first`);
    await allRecorded(database, 120_000);
    await pause(SETTLED_MS);
    // The workers start once the backlog exists.
    signal(workers, 'SIGSTOP');
    await make(deliveries, prefix);
    // PostgreSQL cleans up after the earlier round now, so that the next round does not pay for it.
    await database.side.settle();
    const shares = await startShares(database.side, workers, { receiver: sink.pid });
    const startedAt = performance.now();
    signal(workers, 'SIGCONT');
    await allRecorded(database, 120_000);
    return { seconds: (performance.now() - startedAt) / 1000, used: await shares.used() };
  };

  const drained = new Map<number, DrainResult[]>(COUNTS.map((count) => [count, []]));
  for (let round = 0; round < rounds; round++)
    for (const count of rotated(COUNTS, round))
      drained.get(count)?.push(await drain(count, workerDeliveries, `r${round}-${count}`));
  return COUNTS.flatMap((count) => figuresOf(count, drained.get(count) ?? [], drained.get(1) ?? [], workerDeliveries));
}

/** Rotates the order of the rounds. */
const rotated = <T>(list: readonly T[], round: number): T[] =>
  list.map((_, at) => list[(at + round) % list.length] as T);

const signal = (workers: Replicas, name: NodeJS.Signals) => {
  for (const pid of workers.pids('worker')) process.kill(pid, name);
};

/** Returns the cost of the hub and its database, without the receiver. */
const cost = ({ used }: DrainResult): number => (used['worker replicas'] ?? 0) + (used.PostgreSQL ?? 0);

function figuresOf(
  count: number,
  runs: readonly DrainResult[],
  alone: readonly DrainResult[],
  deliveries: number,
): Figure[] {
  const name = count === 1 ? '1 worker replica' : `${count} worker replicas`;
  const pairs = runs.map((run, round): [number, number] => [cost(run), cost(alone[round] ?? run)]);
  const shares = Object.fromEntries(
    ['worker replicas', 'PostgreSQL', 'receiver'].map((part) => [
      part,
      median(runs.map(({ used, seconds }) => (used[part] ?? 0) / seconds / cpus().length)),
    ]),
  );
  return [
    {
      name: `${name}: deliveries a second`,
      value: median(runs.map(({ seconds }) => deliveries / seconds)),
      unit: 'per second',
      grows: 'replicas',
      note: saturated(count, shares),
    },
    {
      name: `${name}: processor time of a delivery, hub and database`,
      value: median(runs.map((run) => (cost(run) / deliveries) * 1000)),
      unit: 'ms',
      grows: 'replicas',
    },
    ...(count === 1
      ? []
      : [
          {
            name: `${name}: processor time of a delivery, to that with 1`,
            value: median(pairs.map(([ours, one]) => ours / one)),
            unit: 'ratio' as const,
            bound: { atMost: 1.15 },
            grows: 'replicas' as const,
            rounds: pairs,
          },
        ]),
    ...Object.entries(shares).map(
      ([part, value]): Figure => ({ name: `${name}: ${part}, share of all processors`, value, unit: 'ratio' }),
    ),
  ];
}

/** A part with less than 15 % left is full: the other parts wait for it. */
const FULL = 0.85;

/** Returns the bottleneck: the threads of the workers, or the processors and the part that uses most of them. */
function saturated(count: number, shares: Readonly<Record<string, number>>): string {
  const percent = (share: number) => `${Math.round(share * 100)} %`;
  const thread = ((shares['worker replicas'] ?? 0) * cpus().length) / count;
  const all = Object.values(shares).reduce((sum, share) => sum + share, 0);
  const [most, share = 0] = Object.entries(shares).sort((a, b) => b[1] - a[1])[0] ?? [];
  if (thread >= FULL) return `saturates first: the thread of the worker (${percent(thread)} of a processor)`;
  if (all >= FULL) return `saturates first: the processors (${percent(all)}), of which ${most} takes ${percent(share)}`;
  return `nothing is saturated: ${percent(all)} of the processors are taken, most by ${most} (${percent(share)})`;
}
