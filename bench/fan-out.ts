import { setTimeout as pause } from 'node:timers/promises';
import { createBranch, createRepo } from '@moonbase/client/repositories';
import { nextLine, startChild } from './child.ts';
import { allRecorded } from './deliveries.ts';
import { hex, numbers } from './generate.ts';
import { type BenchHub, engine, startBenchHub } from './hub.ts';
import type { Scale } from './scale.ts';
import { type Figure, median, ratio } from './stats.ts';

/**
 * Measures the time from one event to the last of its deliveries in the log, and to the last that is done, with many webhooks and
 * with fewer. The first are sent while the last are still being recorded.
 */
export async function benchFanOut({ fanOut, rounds }: Scale): Promise<Figure[]> {
  await using hub = await startBenchHub();
  await using sink = startChild('sink.ts');
  const url = await nextLine(sink);
  const few = fanOut / 10;
  await createRepo({ ...hub.connection, type: 'model', repo: 'admin/bert' });
  // The measurement begins after the event of the repository itself.
  await allRecorded(hub, 60_000);
  await watchAccount(hub, [1, few], url);
  const toFew = await recorded(hub, few, rounds);
  await watchAccount(hub, [few + 1, fanOut], url);
  const toAll = await recorded(hub, fanOut, rounds);
  const pairs = toAll.map(({ done }, round): [number, number] => [done / fanOut, (toFew[round]?.done ?? 0) / few]);
  const name = `one event for ${fanOut.toLocaleString('en')} webhooks`;
  return [
    {
      name: `${name}, all deliveries recorded`,
      value: median(toAll.map(({ inLog }) => inLog)),
      unit: 'ms',
      bound: { atMost: engine === 'sqlite' ? 300 : 800 },
      grows: 'receivers',
      rounds: toAll.map(({ inLog }) => [inLog]),
    },
    {
      name: `${name}, time of a delivery until all are done, to that with ${few.toLocaleString('en')}`,
      value: ratio(pairs),
      unit: 'ratio',
      bound: { atMost: 1.3 },
      grows: 'receivers',
      rounds: pairs,
    },
  ];
}

interface Times {
  readonly inLog: number;
  readonly done: number;
}

/** Returns the milliseconds from each event to its last delivery in the log, and to the last that is done. */
async function recorded(hub: BenchHub, webhooks: number, rounds: number): Promise<Times[]> {
  const times: Times[] = [];
  for (let round = 0; round < rounds; round++) {
    const before = await hub.side.number('select count(*) from deliveries');
    await createBranch({ ...hub.connection, type: 'model', repo: 'admin/bert', branch: `to-${webhooks}-${round}` });
    const startedAt = performance.now();
    // The event is marked as done with its last deliveries; counting the deliveries would slow the database down.
    const open = () => hub.side.number('select count(*) from events where done_at is null');
    while ((await open()) > 0 && performance.now() - startedAt < 30_000) await pause(5);
    const inLog = performance.now() - startedAt;
    const made = (await hub.side.number('select count(*) from deliveries')) - before;
    if (made !== webhooks) throw new Error(`${made} deliveries are recorded, not ${webhooks}`);
    await allRecorded(hub, 60_000);
    times.push({ inLog, done: performance.now() - startedAt });
  }
  return times;
}

/** Creates webhooks of the administrator on the administrator's account, numbered from one number to another. */
async function watchAccount(hub: BenchHub, [first, last]: readonly [number, number], url: string): Promise<void> {
  const accounts = `accounts a, ${numbers(first, last)} where a.name = 'admin'`;
  const id = hex('i', 24);
  await hub.side.run(`insert into webhooks (id, owner_id, url, domains, state, created_at)
    select ${id}, a.id, '${url}', '["repo"]', 'enabled', 0 from ${accounts}`);
  await hub.side.run(`insert into webhook_watched (webhook_id, position, type, name, name_key, target_id)
    select ${id}, 0, 'user', 'admin', 'admin', a.id from ${accounts}`);
}
