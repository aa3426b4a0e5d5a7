import { setTimeout as pause } from 'node:timers/promises';
import { createBranch, createRepo } from '@moonbase/client/repositories';
import { nextLine, startChild } from './child.ts';
import { allRecorded } from './deliveries.ts';
import { hex, numbers } from './generate.ts';
import { type BenchHub, startBenchHub } from './hub.ts';
import type { Scale } from './scale.ts';
import { type Figure, median } from './stats.ts';

/** Many webhooks on one account, one event: until every delivery stands in the log. */
export async function benchFanOut({ fanOut, rounds }: Scale): Promise<Figure[]> {
  await using hub = await startBenchHub();
  await using sink = startChild('sink.ts');
  await createRepo({ ...hub.connection, type: 'model', repo: 'admin/bert' });
  await watchAccount(hub, fanOut, await nextLine(sink));
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const before = await hub.side.number('select count(*) from deliveries');
    await createBranch({ ...hub.connection, type: 'model', repo: 'admin/bert', branch: `round-${round}` });
    const startedAt = performance.now();
    // The event is done in the transaction of its last deliveries. Counting those all the time would slow down the database.
    const open = () => hub.side.number('select count(*) from events where done_at is null');
    while ((await open()) > 0 && performance.now() - startedAt < 30_000) await pause(5);
    times.push(performance.now() - startedAt);
    const recorded = (await hub.side.number('select count(*) from deliveries')) - before;
    if (recorded !== fanOut) throw new Error(`${recorded} deliveries are recorded, not ${fanOut}`);
    await allRecorded(hub, 60_000);
  }
  return [
    {
      name: `one event for ${fanOut.toLocaleString('en')} webhooks, all deliveries recorded`,
      value: median(times),
      unit: 'ms',
      bound: { atMost: 1000 },
      rounds: times.map((time) => [time]),
    },
  ];
}

/** So many webhooks of the administrator on its own account. */
async function watchAccount(hub: BenchHub, count: number, url: string): Promise<void> {
  const accounts = `accounts a, ${numbers(1, count)} where a.name = 'admin'`;
  const id = hex('i', 24);
  await hub.side.run(`insert into webhooks (id, owner_id, url, domains, state, created_at)
    select ${id}, a.id, '${url}', '["repo"]', 'enabled', 0 from ${accounts}`);
  await hub.side.run(`insert into webhook_watched (webhook_id, position, type, name, name_key, target_id)
    select ${id}, 0, 'user', 'admin', 'admin', a.id from ${accounts}`);
}
