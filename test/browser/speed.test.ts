import { join } from 'node:path';
import { whoAmI } from '@moonbase/client/profiles';
import Libsql from 'libsql';
import { beforeAll, describe, expect, test } from 'vitest';
import { noBrowser } from './chromium.ts';
import { stage } from './stage.ts';
import { startFilledWorld, tokenOf } from './world.ts';

const NOTIFICATIONS = 100_000;
const DELIVERIES = 10_000;
/** The number of attempts that a page has to be fast enough. */
const MAX_RUNS = 5;
const MAX_MS = 1000;

/** The time of the largest paint so far. */
const LARGEST_PAINT = `new Promise((resolve) => {
  new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime)).observe({ type: 'largest-contentful-paint', buffered: true });
  setTimeout(() => resolve(Infinity), 3000);
})`;
const SHIFT = `new Promise((resolve) => {
  let sum = 0;
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) sum += entry.value; }).observe({ type: 'layout-shift', buffered: true });
  setTimeout(() => resolve(sum), 200);
})`;

describe.skipIf(noBrowser)('with 100,000 notifications and 10,000 deliveries', () => {
  const on = stage(startFilledWorld);
  const pages = [
    { path: '/inbox', list: 'Notifications' },
    { path: '/webhooks', list: 'Webhooks' },
    { path: '/webhooks/:id', list: 'Deliveries' },
  ];
  /** The largest paint of each page on an almost empty hub, which measures how busy the machine is. */
  const beforeFilling = new Map<string, number>();
  beforeAll(async () => {
    for (const page of pages) beforeFilling.set(page.path, await largestPaint(page));
    fill(on.world.folder, (await whoAmI(on.world.as('alice'))).id, on.world.webhookId);
  });

  /** Opens a page without a cache; returns the milliseconds to its largest paint. */
  async function largestPaint({ path, list }: (typeof pages)[number]): Promise<number> {
    await using visitor = await on.visit({ token: tokenOf('alice') });
    const { page } = visitor;
    await page.goto(path.replace(':id', on.world.webhookId));
    await page.getByRole('list', { name: list }).waitFor();
    const ms = Number(await page.evaluate(LARGEST_PAINT));
    expect(Number(await page.evaluate(SHIFT))).toBeLessThan(0.1);
    return ms;
  }

  test.each(pages)('$path appears within a second with a cold cache, and nothing moves', async (page) => {
    const allowed = Math.max(MAX_MS, 1.5 * (beforeFilling.get(page.path) ?? 0));
    const runs: number[] = [];
    // The fastest run counts, since the others measure how busy the machine is.
    while (runs.length < MAX_RUNS && !runs.some((ms) => ms <= allowed)) runs.push(await largestPaint(page));
    expect(Math.min(...runs)).toBeLessThanOrEqual(allowed);
  });

  test('filtering and paging take one request each', async () => {
    await using visitor = await on.visit({ token: tokenOf('alice') });
    const { page } = visitor;
    await page.goto('/inbox');
    await page.getByRole('link', { name: 'Thread 99999', exact: true }).waitFor();
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/api/')) asked.push(request.url());
    });
    await page.getByRole('button', { name: 'Older' }).click();
    await page.getByText('26 to 50 of 100000').waitFor();
    expect(asked).toHaveLength(1);
    await page.getByText('Mentions', { exact: true }).click();
    await page.getByText('10000 in all').waitFor();
    expect(asked).toHaveLength(2);
  });
});

/** Replaces the rows of the database by many, in the form in which the hub writes them. */
function fill(folder: string, userId: string, webhookId: string): void {
  const database = new Libsql(join(folder, 'moonbase.db'));
  try {
    database.exec('pragma busy_timeout = 20000');
    const numbers = (count: number) =>
      `(with recursive n (i) as (select 0 union all select i + 1 from n where i + 1 < ${count}) select i from n)`;
    const id = (kind: string, of: string) => `('${kind}' || printf('%023x', ${of}))`;
    database.exec(`delete from notifications; delete from inboxes;
      insert into discussions (id, repo_id, num, title, status, is_pull_request, author_id, created_at)
        select ${id('d', 'i')}, (select id from repositories where name_key = 'bert'), i + 1000, 'Thread ' || i, 'open', 0, '${userId}', 0
        from ${numbers(NOTIFICATIONS)};
      insert into notifications (thread_id, user_id, subject, source_id, involvement, updated_at, read, activity_id, event_id)
        select ${id('d', 'i')}, '${userId}', 'model', (select id from repositories where name_key = 'bert'),
          case when i % 10 = 0 then 2 else 0 end, 1700000000000 + i * 1000, i % 2, ${id('9', 'i')}, ${id('8', 'i')}
        from ${numbers(NOTIFICATIONS)};
      insert into inboxes (user_id, all_count, unread_count, version)
        select user_id, count(*), sum(1 - read), 1 from notifications group by user_id;`);
    const columns = (database.prepare('pragma table_info(deliveries)').all() as { name: string }[]).map(
      ({ name }) => name,
    );
    const value = (name: string) => {
      if (name === 'id') return `(select substr(max(id), 1, 8) from deliveries) || printf('%016x', i)`;
      if (name === 'trigger_key') return `'filled/' || i`;
      if (name === 'created_at') return `created_at - (i % 1400) * 60000`;
      if (name === 'status') return `case when i % 20 = 0 then 'failed' else 'delivered' end`;
      return name;
    };
    const [row] = database
      .prepare(`select id from deliveries where webhook_id = '${webhookId}' and status = 'delivered' limit 1`)
      .all() as { id: string }[];
    database.exec(`insert into deliveries (${columns.join(', ')})
      select ${columns.map(value).join(', ')} from deliveries, ${numbers(DELIVERIES)} where deliveries.id = '${row?.id}'`);
  } finally {
    database.close();
  }
}
