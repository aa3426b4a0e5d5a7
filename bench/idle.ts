import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { createBranch, createRepo } from '@moonbase/client/repositories';
import { createWebhook } from '@moonbase/client/webhooks';
import { type HubProcess, startHubProcess } from '../test/hub-process.ts';
import { cpuSeconds } from './cpu.ts';
import { ACCESS_TOKEN, type BenchHub, engine, startBenchHub } from './hub.ts';
import { Arrivals } from './latency.ts';
import { startReceiver } from './receivers.ts';
import type { Scale } from './scale.ts';
import { type Figure, median, percentile } from './stats.ts';

/** Measures how much of a core an idle process uses, and how late it wakes for due work. */
export async function benchIdle({ idleSeconds, retries }: Scale): Promise<Figure[]> {
  const figures: Figure[] = [];
  await using hub = await startBenchHub({ MOONBASE_WEBHOOK_RETRY_SCHEDULE: '2' });
  const share = await cpuShare(hub.pid, idleSeconds);
  figures.push({ name: 'idle, of a core', value: share, unit: 'percent', bound: { atMost: 1 } });
  const targets = await prepare(hub);
  figures.push(...lateness('one worker', await retriesOf(hub, targets, retries)));
  if ('url' in hub.database) {
    const others = await Promise.all([1, 2].map(() => startBeside(hub, 'worker')));
    figures.push(...lateness('three workers', await retriesOf(hub, targets, retries)));
    await Promise.all(others.map((other) => other.stop()));
    const waits = await acrossProcesses(hub, retries);
    const name = 'change at an api process, answer to first byte from a worker';
    figures.push({ name: `${name}, median`, value: median(waits), unit: 'ms', bound: { atMost: 50 } });
    figures.push({ name: `${name}, p99`, value: percentile(waits, 0.99), unit: 'ms' });
  }
  for (const target of targets) target.close();
  return figures;
}

const lateness = (what: string, late: readonly number[]): Figure[] => [
  { name: `due to first byte, ${what}, median`, value: median(late), unit: 'ms', bound: { atMost: 50 } },
  { name: `due to first byte, ${what}, p99`, value: percentile(late, 0.99), unit: 'ms' },
];

const startBeside = (hub: BenchHub, role: string): Promise<HubProcess> =>
  startHubProcess({ ...hub.environment, MOONBASE_ROLE: role, MOONBASE_WEBHOOK_RETRY_SCHEDULE: '2' });

/**
 * Returns the time from an answered change at an API process to its delivery by another process; 0 if the delivery came
 * first.
 */
async function acrossProcesses(hub: BenchHub, count: number): Promise<number[]> {
  const arrivals = new Arrivals();
  await using receiver = await startReceiver('answers', arrivals.arrive);
  const api = await startBeside(hub, 'api');
  const connection = { hubUrl: api.url, accessToken: ACCESS_TOKEN };
  const repo = 'admin/across';
  await createRepo({ ...connection, type: 'model', repo });
  const watched = [{ type: 'model' as const, name: repo }];
  await createWebhook({ ...connection, webhook: { url: receiver.url, watched, domains: ['repo'] } });
  for (let at = 0; at < count; at++) {
    await createBranch({ ...connection, type: 'model', repo, branch: `across-${at}` });
    arrivals.answered.set(`across-${at}`, performance.now());
    // The wait varies, so that changes have no fixed distance from a poll.
    await pause(70 + 37 * (at % 5));
  }
  await pause(1500);
  await api.stop();
  return arrivals.latencies();
}

/** Returns the share of a core that a process uses, in percent. */
async function cpuShare(pid: number, seconds: number): Promise<number> {
  // The work of a start ends within this wait.
  await pause(3000);
  const before = await cpuSeconds(pid);
  await pause(seconds * 1000);
  return (100 * ((await cpuSeconds(pid)) - before)) / seconds;
}

interface Target {
  readonly repo: string;
  /** The time of the second arrival of each delivery, by its id. */
  readonly again: Map<string, number>;
  readonly close: () => void;
}

/** Starts receivers on ports of their own, so that each has a lane; they refuse the first attempt of each delivery. */
async function startTarget(repo: string): Promise<Target & { url: string }> {
  const seen = new Set<string>();
  const again = new Map<string, number>();
  const server = createServer((request, response) => {
    const at = Date.now();
    const id = String(request.headers['webhook-id']);
    request.resume();
    if (seen.has(id)) again.set(id, at);
    response.statusCode = seen.has(id) ? 200 : 500;
    seen.add(id);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { repo, again, url, close: () => server.close().closeAllConnections() };
}

async function prepare(hub: BenchHub): Promise<Target[]> {
  const targets = await Promise.all([0, 1, 2, 3].map((at) => startTarget(`admin/idle-${at}`)));
  for (const { repo, url } of targets) {
    await createRepo({ ...hub.connection, type: 'model', repo });
    const watched = [{ type: 'model' as const, name: repo }];
    await createWebhook({ ...hub.connection, webhook: { url, watched, domains: ['repo'] } });
  }
  return targets;
}

/** Returns the milliseconds by which second attempts are late, with a few due each second. */
async function retriesOf(hub: BenchHub, targets: readonly Target[], count: number): Promise<number[]> {
  for (const { again } of targets) again.clear();
  const dueAt = new Map<string, number>();
  const note = async () => {
    const rows = await hub.side.text(
      `select coalesce(${engine === 'postgres' ? "string_agg(id || ':' || due_at, ',')" : "group_concat(id || ':' || due_at)"}, '')
      from deliveries where status = 'pending' and attempts = 1`,
    );
    for (const row of rows.split(',').filter(Boolean)) {
      const [id = '', due] = row.split(':');
      dueAt.set(id, Number(due));
    }
  };
  for (let at = 0; at < count; at++) {
    const { repo } = targets[at % targets.length] as Target;
    await createBranch({ ...hub.connection, type: 'model', repo, branch: `b${Math.round(performance.now())}-${at}` });
    await pause(100);
    if (at % 5 === 4) await note();
  }
  await pause(500);
  await note();
  await pause(3500);
  return targets.flatMap(({ again }) =>
    [...again].flatMap(([id, at]) => {
      const due = dueAt.get(id);
      return due === undefined ? [] : Math.max(0, at - due);
    }),
  );
}
