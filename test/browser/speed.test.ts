import { join } from 'node:path';
import { uploadFiles } from '@moonbase/client/files';
import { whoAmI } from '@moonbase/client/profiles';
import Libsql from 'libsql';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { noBrowser } from './chromium.ts';
import { scrolled } from './frames.ts';
import { largestPaint, shiftOf } from './paint.ts';
import { stage } from './stage.ts';
import { isThere, NAMES, walk } from './walk.ts';
import { startFilledWorld, tokenOf } from './world.ts';

const NOTIFICATIONS = 100_000;
const DELIVERIES = 10_000;
/** The number of attempts that a page has to be fast enough. */
const MAX_RUNS = 5;
const FILES = 10_000;
/** The length of a frame at 60 in a second, with a little room for the clock of the browser. */
const FRAME_MS = 17.5;
/** The work for a scrolled page, compared with that for plain text as long, that a slow machine has to show instead. */
const MAX_WORK_RATIO = 2.5;
const MAX_MS = 1000;
const MAX_SHIFT = 0.1;
/** A mobile connection far from a city: 400 kbit/s, and 400 ms to the hub and back. */
const SLOW = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
const FAST = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
/** Of 2.5 s, the rest is what the machine takes without the network, 400 ms if nothing else keeps it busy. */
const MAX_ADDED_MS = 2100;

describe.skipIf(noBrowser)('with 100,000 notifications and 10,000 deliveries', () => {
  const on = stage(startFilledWorld);
  const pages = [
    { path: '/inbox', role: 'list', name: 'Notifications' },
    { path: '/webhooks', role: 'table', name: 'Webhooks' },
    { path: '/webhooks/:id', role: 'table', name: 'Deliveries' },
  ] as const;
  /** The largest paint of each page on an almost empty hub, which measures how busy the machine is. */
  const beforeFilling = new Map<string, number>();
  beforeAll(async () => {
    for (const page of pages) beforeFilling.set(page.path, await paintOf(page));
    fill(on.world.folder, (await whoAmI(on.world.as('alice'))).id, on.world.webhookId);
  });

  /** Opens a page without a cache; returns the milliseconds to its largest paint. */
  async function paintOf({ path, role, name }: (typeof pages)[number]): Promise<number> {
    await using visitor = await on.visit({ token: tokenOf('alice') });
    const { page } = visitor;
    await page.goto(path.replace(':id', on.world.webhookId));
    await page.getByRole(role, { name }).waitFor();
    const ms = await largestPaint(page);
    expect(await shiftOf(page)).toBeLessThan(MAX_SHIFT);
    return ms;
  }

  test.each(pages)('$path appears within a second with a cold cache, and nothing moves', async (page) => {
    const allowed = Math.max(MAX_MS, 1.5 * (beforeFilling.get(page.path) ?? 0));
    const runs: number[] = [];
    // The fastest run counts, since the others measure how busy the machine is.
    while (runs.length < MAX_RUNS && !runs.some((ms) => ms <= allowed)) runs.push(await paintOf(page));
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

describe.skipIf(noBrowser)('at 60 frames a second', () => {
  const on = stage(startFilledWorld);

  /** Scrolls a page until its frames are as short as they must be, or their work is. */
  async function expectSmooth(show: (page: Page) => Promise<unknown>): Promise<void> {
    const runs: Awaited<ReturnType<typeof scrolled>>[] = [];
    const isSmooth = ({ shown, bare }: (typeof runs)[number]) =>
      (shown.median <= FRAME_MS && shown.long <= 2 * FRAME_MS) || shown.work <= MAX_WORK_RATIO * bare.work;
    await using visitor = await on.visit({ token: tokenOf('alice') });
    while (runs.length < MAX_RUNS && !runs.some(isSmooth)) {
      await show(visitor.page);
      runs.push(await scrolled(visitor.page));
    }
    expect(runs.filter(isSmooth), JSON.stringify(runs)).toHaveLength(1);
  }

  test('an inbox of 100,000 notifications scrolls', async () => {
    fill(on.world.folder, (await whoAmI(on.world.as('alice'))).id, on.world.webhookId);
    await expectSmooth(async (page) => {
      await page.goto('/inbox');
      await page.getByText('1 to 25 of 100000').waitFor();
    });
  });

  test('a folder of 10,000 files scrolls, all of them shown', async () => {
    const files = Array.from({ length: FILES }, (_, at) => ({ path: `many/${at}.txt`, content: `${at}` }));
    await uploadFiles({ ...on.world.as('alice'), type: 'model', repo: 'acme/bert', summary: 'Add many', files });
    await expectSmooth(async (page) => {
      await page.goto('/acme/bert/tree/main/many');
      const rows = page.getByRole('list', { name: /^Files and folders/ }).locator('li');
      for (let shown = 50; shown < FILES; shown = Math.min(4 * shown, FILES)) {
        await expect.poll(() => rows.count(), { timeout: 60_000 }).toBe(shown);
        await page.getByRole('button', { name: 'Show more' }).click();
      }
      await expect.poll(() => rows.count(), { timeout: 60_000 }).toBe(FILES);
    });
  });
});

describe.skipIf(noBrowser)('over 400 kbit/s, once the shell is cached', () => {
  const on = stage(startFilledWorld);
  const walking = walk(on);
  /** The window and the address of each page. */
  const opened = new Map<string, Awaited<ReturnType<typeof walking.to>>>();
  beforeAll(async () => {
    for (const name of NAMES) opened.set(name, await walking.to(name));
    for (const visitor of new Set([...opened.values()].map((each) => each.visitor))) {
      await visitor.page.goto('/');
      await isThere(visitor);
    }
  });

  // They wait for the network nearly all the time, hence several at once.
  test.concurrent.each(NAMES)('%s takes at most 2.1 s longer', async (name) => {
    const { visitor, path = '/' } = opened.get(name) ?? {};
    const runs: number[] = [];
    while (runs.length < MAX_RUNS && !runs.some((ms) => ms <= MAX_ADDED_MS)) {
      await using page = await visitor?.page.context().newPage();
      if (!page) break;
      const session = await page.context().newCDPSession(page);
      await session.send('Network.enable');
      const paintOver = async (network: typeof SLOW) => {
        await session.send('Network.emulateNetworkConditions', network);
        await page.goto(path);
        await isThere({ page });
        return largestPaint(page);
      };
      runs.push((await paintOver(SLOW)) - (await paintOver(FAST)));
    }
    expect(Math.min(...runs)).toBeLessThanOrEqual(MAX_ADDED_MS);
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
