import { setTimeout as pause } from 'node:timers/promises';
import { createBranch } from '@moonbase/client/repositories';
import { allRecorded, REPOS, watchedRepos } from './deliveries.ts';
import { engine, startBenchHub } from './hub.ts';
import { startReceiver } from './receivers.ts';
import type { Scale } from './scale.ts';
import { type Figure, median, percentile, shown } from './stats.ts';

/** The time between two changes; the prime keeps them out of step with every timer of the hub. */
const PAUSE_MS = 157;
const WARM_UP = 20;

const BOUNDS = { sqlite: { median: 2, p95: 4 }, postgres: { median: 4, p95: 8 } }[engine];

/** Measures a change on a hub that does nothing else, from the request to the first byte of its only delivery. */
export async function benchQuiet({ quietChanges }: Scale): Promise<Figure[]> {
  const arrivedAt = new Map<string, number>();
  await using receiver = await startReceiver('answers', (branch, at) => arrivedAt.set(branch, at));
  await using hub = await startBenchHub();
  await watchedRepos(hub, [receiver.url]);
  const waits: number[] = [];
  const answers: number[] = [];
  for (let at = 0; at < WARM_UP + quietChanges; at++) {
    const branch = `quiet-${at}`;
    const sentAt = performance.now();
    await createBranch({ ...hub.connection, type: 'model', repo: REPOS[at % REPOS.length] ?? '', branch });
    const answeredAt = performance.now();
    await pause(PAUSE_MS);
    if (at < WARM_UP) continue;
    answers.push(answeredAt - sentAt);
    waits.push((arrivedAt.get(branch) ?? Number.POSITIVE_INFINITY) - sentAt);
  }
  await allRecorded(hub, 60_000);
  const note = `answered after ${shown(median(answers))} ms, median`;
  return [
    { name: 'a quiet change, request to first byte, median', value: median(waits), bound: BOUNDS.median, note },
    { name: 'a quiet change, request to first byte, p95', value: percentile(waits, 0.95), bound: BOUNDS.p95 },
  ].map(({ bound, ...figure }) => ({ ...figure, unit: 'ms', bound: { atMost: bound } }));
}
