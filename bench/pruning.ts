import { setTimeout as pause } from 'node:timers/promises';
import { getNotificationPage } from '@moonbase/client/notifications';
import { createBranch } from '@moonbase/client/repositories';
import { atPace, createBystander } from './bystander.ts';
import { watchedRepos } from './deliveries.ts';
import { fillLog } from './full-log.ts';
import { hex, numbers } from './generate.ts';
import { type BenchHub, startBenchHub } from './hub.ts';
import type { Scale } from './scale.ts';
import { type Figure, median, percentile } from './stats.ts';

const REPO = { type: 'model', repo: 'admin/model-0' } as const;
const OLD_DAYS = 60;
const USERS = 2000;
const READS_PER_SECOND = 100;
const WRITES_PER_SECOND = 25;

/** The number of rows old enough to be pruned: deliveries with their attempts, and notifications. */
const PRUNED = {
  'delivery log': {
    kind: 'webhooks.retain',
    fill: (hub: BenchHub, rows: number, webhooks: readonly string[]) =>
      fillLog(hub, Math.ceil(rows / 2.1), webhooks, OLD_DAYS),
    left: "select count(*) from deliveries where lane = 'lane'",
  },
  inboxes: {
    kind: 'notifications.retain',
    fill: (hub: BenchHub, rows: number) => fillOldNotifications(hub, rows),
    left: "select count(*) from notifications where source_id = 'gone'",
  },
};

/** Compares pages of an inbox and changes during the pruning of old rows with the same before. */
export async function benchPruning({ prunedRows, latencySeconds }: Scale): Promise<Figure[]> {
  await using hub = await startBenchHub({ MOONBASE_NOTIFICATION_DAYS: '30' });
  const webhooks = await watchedRepos(hub, ['http://127.0.0.1:9/']);
  await hub.side.run("update webhooks set state = 'disabled'");
  const reader = await createBystander(hub.connection);
  const figures: Figure[] = [];
  const rowsOf = prunedRows.toLocaleString('en');
  for (const [name, { kind, fill, left }] of Object.entries(PRUNED)) {
    await fill(hub, prunedRows, webhooks);
    await hub.side.settle();
    await used(hub, reader, `warm-${kind}`, pause(1000));
    const before = await used(hub, reader, `before-${kind}`, pause(latencySeconds * 1000));
    const startedAt = performance.now();
    await hub.side.run(`update tasks set due_at = 0 where kind = '${kind}'`);
    const during = await used(hub, reader, `during-${kind}`, gone(hub, left));
    const seconds = (performance.now() - startedAt) / 1000;
    const title = `${rowsOf} old rows of ${name} pruned`;
    figures.push({ name: title, value: prunedRows / seconds, unit: 'per second' });
    for (const what of ['reads', 'writes'] as const)
      figures.push(
        { name: `${title}: ${what} meanwhile, median`, value: median(during[what]), unit: 'ms' },
        {
          name: `${title}: ${what} meanwhile, p99`,
          value: percentile(during[what], 0.99),
          unit: 'ms',
          bound: { atMost: 50 },
          rounds: [[percentile(during[what], 0.99), percentile(before[what], 0.99)]],
        },
        {
          name: `${title}: ${what} meanwhile, p99 to before`,
          value: percentile(during[what], 0.99) / percentile(before[what], 0.99),
          unit: 'ratio',
          bound: { atMost: 4 },
        },
      );
  }
  return figures;
}

/** Polls until no old row is left; throws if this takes too long. */
async function gone(hub: BenchHub, left: string): Promise<void> {
  for (const deadline = Date.now() + 180_000; (await hub.side.number(left)) > 0; await pause(250))
    if (Date.now() > deadline) throw new Error('What is old is still there');
}

/** Requests pages of an inbox and makes changes at an even pace until `until` is done; returns their durations. */
async function used(hub: BenchHub, reader: BenchHub['connection'], prefix: string, until: Promise<unknown>) {
  let over = false;
  const end = until.finally(() => {
    over = true;
  });
  const isOver = () => over;
  const [reads, writes] = await Promise.all([
    atPace(READS_PER_SECOND, isOver, () => getNotificationPage(reader)),
    atPace(WRITES_PER_SECOND, isOver, (at) => createBranch({ ...hub.connection, ...REPO, branch: `${prefix}-${at}` })),
    end,
  ]);
  return { reads, writes };
}

/** Inserts old notifications of several thousand users, with their counters. */
async function fillOldNotifications(hub: BenchHub, rows: number): Promise<void> {
  const id = (kind: string, of: string) => `('${kind}' || ${hex(of, 23)})`;
  const each = Math.ceil(rows / USERS);
  const updatedAt = Date.now() - OLD_DAYS * 24 * 60 * 60 * 1000;
  await hub.side.run(`insert into accounts (id, kind, name, name_key, fullname, created_at)
    select ${id('a', 'i')}, 'user', 'old-' || i, 'old-' || i, 'U', 0 from ${numbers(0, USERS - 1)}`);
  for (let from = 0; from < USERS; from += 200)
    await hub.side.run(`insert into notifications (thread_id, user_id, subject, source_id, involvement, updated_at, read,
        activity_id, event_id)
      select ${id('d', `i % ${each} * 911`)}, ${id('a', `${from} + i / ${each}`)}, 'model', 'gone', 1,
        cast(${updatedAt} as bigint) - i, i % 2, ${id('9', 'i')}, null from ${numbers(0, 200 * each - 1)}`);
  await hub.side.run(`insert into inboxes (user_id, all_count, unread_count, version)
    select user_id, count(*), sum(1 - read), 1 from notifications where source_id = 'gone' group by user_id`);
}
