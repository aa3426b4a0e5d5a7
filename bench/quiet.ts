import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createBranch } from '@moonbase/client/repositories';
import { nextLine, startChild } from './child.ts';
import { allRecorded, REPOS, watchedRepos } from './deliveries.ts';
import { ACCESS_TOKEN, type BenchHub, type Connection, engine, startBenchHub } from './hub.ts';
import { startReceiver } from './receivers.ts';
import type { Scale } from './scale.ts';
import { startBareHub } from './start-bare-hub.ts';
import { type Figure, median, percentile, shown } from './stats.ts';

/** The time between two changes; the prime keeps them out of step with every timer of the hub. */
const PAUSE_MS = 157;
const WARM_UP = 20;

const BOUNDS = { sqlite: { median: 2, p95: 4 }, postgres: { median: 4, p95: 8 } }[engine];

type Arrivals = ReadonlyMap<string, number>;

/** Makes changes with pauses between them. Returns the milliseconds until each was answered, and until it arrived. */
async function change(connection: Connection, arrivals: Arrivals, name: string, count: number) {
  const waits: number[] = [];
  const answers: number[] = [];
  for (let at = 0; at < WARM_UP + count; at++) {
    const branch = `${name}-${at}`;
    const sentAt = performance.now();
    await createBranch({ ...connection, type: 'model', repo: REPOS[at % REPOS.length] ?? '', branch });
    const answeredAt = performance.now();
    await pause(PAUSE_MS);
    if (at < WARM_UP) continue;
    answers.push(answeredAt - sentAt);
    waits.push((arrivals.get(branch) ?? Number.POSITIVE_INFINITY) - sentAt);
  }
  return { waits, answers };
}

/** Measures the same with a server that does nothing but sync, answer and post. */
async function benchBare(arrivals: Arrivals, receiver: string, count: number): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-bench-'));
  try {
    await using bare = startChild('bare-relay.ts', [folder, receiver]);
    const connection = { hubUrl: await nextLine(bare), accessToken: ACCESS_TOKEN };
    return median((await change(connection, arrivals, 'bare', count)).waits);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Measures the same with a server that writes the rows of a change, of its delivery and of the attempt, and nothing else. */
async function benchBareHub(hub: BenchHub, arrivals: Arrivals, receiver: string, count: number): Promise<number> {
  await using bare = await startBareHub(hub, receiver, 1);
  const connection = { hubUrl: bare.url, accessToken: ACCESS_TOKEN };
  return median((await change(connection, arrivals, 'bare-hub', count)).waits);
}

/** Measures a change on a hub that does nothing else, from the request to the first byte of its only delivery. */
export async function benchQuiet({ quietChanges }: Scale): Promise<Figure[]> {
  const arrivals = new Map<string, number>();
  await using receiver = await startReceiver('answers', (branch, at) => arrivals.set(branch, at));
  const bare = await benchBare(arrivals, receiver.url, Math.ceil(quietChanges / 2));
  await using hub = await startBenchHub();
  await watchedRepos(hub, [receiver.url]);
  const { waits, answers } = await change(hub.connection, arrivals, 'quiet', quietChanges);
  await allRecorded(hub, 60_000);
  const bareHub = await benchBareHub(hub, arrivals, receiver.url, Math.ceil(quietChanges / 2));
  const note = `answered after ${shown(median(answers))} ms, median; a bare server: ${shown(bare)} ms to the first byte, a bare hub: ${shown(bareHub)}`;
  return [
    { name: 'a quiet change, request to first byte, median', value: median(waits), bound: BOUNDS.median, note },
    { name: 'a quiet change, request to first byte, p95', value: percentile(waits, 0.95), bound: BOUNDS.p95 },
  ].map(({ bound, ...figure }) => ({ ...figure, unit: 'ms', bound: { atMost: bound } }));
}
