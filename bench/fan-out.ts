import { setTimeout as pause } from 'node:timers/promises';
import { createBranch, createRepo } from '@moonbase/client/repositories';
import { nextLine, startChild } from './child.ts';
import { allRecorded } from './deliveries.ts';
import { hex, numbers } from './generate.ts';
import { type BenchHub, startBenchHub } from './hub.ts';
import type { Scale } from './scale.ts';
import { type Figure, median, ratio } from './stats.ts';

/** Many webhooks on one account, one event: until every delivery stands in the log; and what one of them takes beside fewer. */
export async function benchFanOut({ fanOut, rounds }: Scale): Promise<Figure[]> {
  await using hub = await startBenchHub();
  await using sink = startChild('sink.ts');
  const url = await nextLine(sink);
  const few = fanOut / 10;
  await createRepo({ ...hub.connection, type: 'model', repo: 'admin/bert' });
  // Its own event is not to be counted.
  await allRecorded(hub, 60_000);
  await watchAccount(hub, [1, few], url);
  const toFew = await recorded(hub, few, rounds);
  await watchAccount(hub, [few + 1, fanOut], url);
  const toAll = await recorded(hub, fanOut, rounds);
  const pairs = toAll.map((time, round): [number, number] => [time / fanOut, (toFew[round] ?? 0) / few]);
  const name = `one event for ${fanOut.toLocaleString('en')} webhooks`;
  return [
    {
      name: `${name}, all deliveries recorded`,
      value: median(toAll),
      unit: 'ms',
      bound: { atMost: 1000 },
      grows: 'receivers',
      rounds: toAll.map((time) => [time]),
    },
    {
      name: `${name}, time of a delivery, to that with ${few.toLocaleString('en')}`,
      value: ratio(pairs),
      unit: 'ratio',
      bound: { atMost: 1.3 },
      grows: 'receivers',
      rounds: pairs,
    },
  ];
}

/** From an event to its last delivery in the log, so many times, in milliseconds. */
async function recorded(hub: BenchHub, webhooks: number, rounds: number): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const before = await hub.side.number('select count(*) from deliveries');
    await createBranch({ ...hub.connection, type: 'model', repo: 'admin/bert', branch: `to-${webhooks}-${round}` });
    const startedAt = performance.now();
    // The event is done in the transaction of its last deliveries. Counting those all the time would slow down the database.
    const open = () => hub.side.number('select count(*) from events where done_at is null');
    while ((await open()) > 0 && performance.now() - startedAt < 30_000) await pause(5);
    times.push(performance.now() - startedAt);
    const made = (await hub.side.number('select count(*) from deliveries')) - before;
    if (made !== webhooks) throw new Error(`${made} deliveries are recorded, not ${webhooks}`);
    await allRecorded(hub, 60_000);
  }
  return times;
}

/** Webhooks of the administrator on its own account, from one number to another. */
async function watchAccount(hub: BenchHub, [first, last]: readonly [number, number], url: string): Promise<void> {
  const accounts = `accounts a, ${numbers(first, last)} where a.name = 'admin'`;
  const id = hex('i', 24);
  await hub.side.run(`insert into webhooks (id, owner_id, url, domains, state, created_at)
    select ${id}, a.id, '${url}', '["repo"]', 'enabled', 0 from ${accounts}`);
  await hub.side.run(`insert into webhook_watched (webhook_id, position, type, name, name_key, target_id)
    select ${id}, 0, 'user', 'admin', 'admin', a.id from ${accounts}`);
}
