import { setTimeout as pause } from 'node:timers/promises';
import { createBranch } from '@moonbase/client/repositories';
import { allRecorded, REPOS, watchedRepos } from './deliveries.ts';
import { fillLog } from './full-log.ts';
import { type BenchHub, engine, startBenchHub } from './hub.ts';
import { type Receiver, startReceiver } from './receivers.ts';
import type { Scale } from './scale.ts';
import { type Figure, median, percentile } from './stats.ts';

const CHANGES_PER_SECOND = 200;
const WEBHOOKS = 10;

/** Records by branch when changes were answered and when their deliveries arrived. */
export class Arrivals {
  readonly answered = new Map<string, number>();
  readonly #arrived: [string, number][] = [];

  readonly arrive = (branch: string, at: number): void => {
    this.#arrived.push([branch, at]);
  };

  /**
   * Returns the milliseconds from each answered change to the first byte of its delivery; 0 if the delivery came first.
   */
  latencies(): number[] {
    return this.#arrived.flatMap(([branch, at]) => {
      const answeredAt = this.answered.get(branch);
      return answeredAt === undefined ? [] : Math.max(0, at - answeredAt);
    });
  }

  clear(): void {
    this.answered.clear();
    this.#arrived.length = 0;
  }
}

/** Makes changes at an even pace, without waiting for earlier answers. */
export async function changeAtPace(hub: BenchHub, count: number, perSecond: number, arrivals: Arrivals): Promise<void> {
  const startedAt = performance.now();
  const changes: Promise<void>[] = [];
  const prefix = Math.round(startedAt);
  for (let at = 0; at < count; at++) {
    const branch = `p${prefix}-${at}`;
    const repo = REPOS[at % REPOS.length] ?? '';
    const change = createBranch({ ...hub.connection, type: 'model', repo, branch });
    changes.push(
      change.then(() => {
        arrivals.answered.set(branch, performance.now());
      }),
    );
    const ahead = ((at + 1) * 1000) / perSecond - (performance.now() - startedAt);
    if (ahead > 1) await pause(ahead);
  }
  await Promise.all(changes);
}

export async function benchLatency(scale: Scale): Promise<Figure[]> {
  const empty = await latencyOf(scale, 0);
  const full = await latencyOf(scale, scale.logEntries);
  const entries = scale.logEntries.toLocaleString('en');
  const name = `${CHANGES_PER_SECOND} changes a second, answer to first byte`;
  const bound = { atMost: engine === 'sqlite' ? 5 : 15 };
  return [
    { name: `${name}, median`, value: empty.median, unit: 'ms', bound, ...overloaded(empty) },
    { name: `${name}, p99`, value: empty.p99, unit: 'ms', bound: { atMost: 100 } },
    { name: `${name}, median with ${entries} in the log`, value: full.median, unit: 'ms', bound, ...overloaded(full) },
    { name: `${name}, p99 with ${entries} in the log`, value: full.p99, unit: 'ms', bound: { atMost: 100 } },
    {
      name: `${name}, median with it to without`,
      value: full.median / empty.median,
      unit: 'ratio',
      bound: { atMost: 1.3 },
      grows: 'rows',
    },
    {
      name: `${name}, p99 with it to without`,
      value: full.p99 / empty.p99,
      unit: 'ratio',
      bound: { atMost: 1.3 },
      grows: 'rows',
    },
  ];
}

/** A hub that is further behind after the last change had more to do than it can. */
const MAX_BEHIND_MS = 500;

const overloaded = ({ behindMs }: { readonly behindMs: number }): Pick<Figure, 'note'> =>
  behindMs > MAX_BEHIND_MS
    ? {
        note: `more than the hub can do on this machine: it was done ${(behindMs / 1000).toFixed(1)} s after the last change`,
      }
    : {};

async function latencyOf({ latencySeconds }: Scale, logEntries: number) {
  const arrivals = new Arrivals();
  await using receiver: Receiver = await startReceiver('answers', arrivals.arrive);
  await using hub = await startBenchHub();
  const webhooks = await watchedRepos(
    hub,
    Array.from({ length: WEBHOOKS }, () => receiver.url),
  );
  if (logEntries > 0) await fillLog(hub, logEntries, webhooks);
  await changeAtPace(hub, CHANGES_PER_SECOND, CHANGES_PER_SECOND, arrivals);
  await allRecorded(hub, 60_000);
  await hub.side.settle();
  arrivals.clear();
  const endsAt = performance.now() + latencySeconds * 1000;
  await changeAtPace(hub, CHANGES_PER_SECOND * latencySeconds, CHANGES_PER_SECOND, arrivals);
  await allRecorded(hub, 60_000);
  const behindMs = performance.now() - endsAt;
  const latencies = arrivals.latencies();
  return { median: median(latencies), p99: percentile(latencies, 0.99), behindMs };
}
