import { setTimeout as pause } from 'node:timers/promises';
import { createRepo } from '@moonbase/client/repositories';
import { createWebhook } from '@moonbase/client/webhooks';
import type { BenchHub } from '../hub.ts';
import { load } from '../load.ts';
import { startReceiver } from '../receivers.ts';
import type { Scale } from '../scale.ts';
import { type Figure, median, percentile } from '../stats.ts';
import { commitBytes } from './commits.ts';

const COMMITS_PER_SECOND = 20;
const REPOS = 5;

/** Measures the time from the answer to a commit until the first byte of its delivery. */
export async function arrivalsOfCommits(hub: BenchHub, { latencySeconds }: Scale): Promise<Figure[]> {
  const arrived: number[] = [];
  await using receiver = await startReceiver('answers', (_ref, at) => void arrived.push(at));
  const repos = Array.from({ length: REPOS }, (_, at) => `admin/announced-${at}`);
  for (const repo of repos) await createRepo({ ...hub.connection, type: 'model', repo });
  const watched = repos.map((name) => ({ type: 'model' as const, name }));
  await createWebhook({ ...hub.connection, webhook: { url: receiver.url, watched, domains: ['repo'] } });
  const answered: number[] = [];
  for (let at = 0; at < COMMITS_PER_SECOND * latencySeconds; at++) {
    const startedAt = performance.now();
    answered.push(await commit(hub, repos[at % REPOS] ?? '', at));
    await pause(Math.max(0, 1000 / COMMITS_PER_SECOND - (performance.now() - startedAt)));
  }
  for (let tries = 0; arrived.length < answered.length && tries < 500; tries++) await pause(20);
  // Commits follow each other, and so do their deliveries.
  const delays = arrived.map((at, index) => Math.max(0, at - (answered[index] ?? Infinity)));
  const name = `${COMMITS_PER_SECOND} commits a second, answer to first byte of the delivery`;
  return [
    { name: `${name}, median`, value: median(delays), unit: 'ms', bound: { atMost: 20 } },
    { name: `${name}, p99`, value: percentile(delays, 0.99), unit: 'ms', bound: { atMost: 120 } },
  ];
}

/** Commits one file; returns when the answer arrived, on the clock of `performance.now()`. */
async function commit(hub: BenchHub, repo: string, at: number): Promise<number> {
  const bytes = commitBytes(hub, repo, [{ path: `file-${at}.txt`, content: `${at}\n` }]);
  await load({ url: hub.url, connections: 1, requests: 1, next: () => bytes });
  return performance.now();
}
