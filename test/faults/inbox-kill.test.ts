import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyHub } from '@moonbase/client/admin';
import { createDiscussion, listDiscussions } from '@moonbase/client/discussions';
import { getNotificationPage } from '@moonbase/client/notifications';
import { createRepo } from '@moonbase/client/repositories';
import { expect, test } from 'vitest';
import { openDatabase } from '../../packages/server/src/platform/database/transaction.ts';
import { startMailServer } from '../../packages/server/test/smtp-server.ts';
import { createTestDatabase, engine } from '../../packages/server/test/test-database.ts';
import { startHubProcess } from '../hub-process.ts';
import { pause, seeded } from './pace.ts';

const KILLS = 20;
/** The members fill more than one page of a fan-out. */
const MEMBERS = 700;
const WITH_ADDRESS = 5;
const ACCESS_TOKEN = 'hf_tokenOfTheFaultTestsWithEnoughLetters';
/** On PostgreSQL, where other processes may be working, a mail in transit is given up 2 minutes after a crash. */
const MAX_WAIT_MS = 300_000;

const tokenOf = (member: number) => `hf_tokenOfMember${String(member).padStart(4, '0')}`;

/** Opens discussions until the hub is gone; records each one that the hub acknowledged. */
async function write(hubUrl: string, prefix: string, acknowledged: Set<string>): Promise<void> {
  for (let at = 0; ; at++) {
    const title = `${prefix}-${at}`;
    const discussion = { type: 'model' as const, repo: 'acme/bert', title, description: 'See.' };
    try {
      await createDiscussion({ hubUrl, accessToken: ACCESS_TOKEN, ...discussion });
      acknowledged.add(title);
    } catch (error) {
      if (error instanceof TypeError) return;
      throw error;
    }
    await pause(20);
  }
}

test(`${KILLS} kills during fan-out: one notification for each member and discussion, at most one mail (${engine})`, async () => {
  const random = seeded(7);
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-inbox-kill-'));
  await using database = await createTestDatabase();
  await using mails = await startMailServer();
  const settings = {
    ...(engine === 'postgres' && database.environment),
    MOONBASE_DATA_DIR: folder,
    MOONBASE_ADMIN_TOKEN: ACCESS_TOKEN,
    MOONBASE_PUBLIC_URL: 'https://hub.example.org',
    MOONBASE_SMTP_URL: mails.url,
    MOONBASE_MAIL_FROM: 'hub@example.org',
    MOONBASE_MAIL_QUIET_SECONDS: '0',
  };
  try {
    let hub = await startHubProcess(settings);
    const connection = (accessToken = ACCESS_TOKEN) => ({ hubUrl: hub.url, accessToken });
    const names = Array.from({ length: MEMBERS }, (_, at) => `member-${at}`);
    const users = names.map((name, at) => ({
      name,
      tokens: [{ name: 't', token: tokenOf(at) }],
      ...(at < WITH_ADDRESS && { email: `${name}@example.org` }),
    }));
    // Members of an organization watch it by default.
    const members = [{ user: 'admin', role: 'admin' as const }, ...names.map((user) => ({ user }))];
    await applyHub({ ...connection(), document: { users, organizations: [{ name: 'acme', members }] } });
    await createRepo({ ...connection(), type: 'model', repo: 'acme/bert' });

    const acknowledged = new Set<string>();
    for (let kill = 0; kill < KILLS; kill++) {
      const writer = write(hub.url, `k${kill}`, acknowledged);
      await pause(30 + 400 * random());
      // A busy machine may not have answered anything yet.
      for (const deadline = Date.now() + 10_000; acknowledged.size < kill + 2 && Date.now() < deadline; )
        await pause(20);
      await hub.kill();
      await writer;
      hub = await startHubProcess(settings);
    }

    const { count: discussions } = await listDiscussions({ ...connection(), type: 'model', repo: 'acme/bert' });
    const told = async (member: number) => (await getNotificationPage(connection(tokenOf(member)))).count.all;
    const allTold = async () => (await told(0)) === discussions && (await told(MEMBERS - 1)) === discussions;
    for (const deadline = Date.now() + MAX_WAIT_MS; !(await allTold()) && Date.now() < deadline; ) await pause(200);
    // The last mails have arrived once a pause passes without one.
    const received = mails.received();
    for (let more = 1; more > 0; ) {
      await pause(2_000);
      const next = mails.received();
      more = next.length;
      received.push(...next);
    }
    const exitStatus = await hub.stop();

    const opened = openDatabase(
      engine === 'postgres' ? { url: database.environment.MOONBASE_DATABASE_URL ?? '' } : { folder },
    );
    const rows = await opened.read
      .selectFrom('notifications')
      .innerJoin('discussions', 'discussions.id', 'notifications.thread_id')
      .select((eb) => ['discussions.title', eb.fn.countAll<number>().as('count')])
      .groupBy('discussions.title')
      .execute();
    const inboxes = await opened.read.selectFrom('inboxes').select(['all_count', 'unread_count']).execute();
    await opened[Symbol.asyncDispose]();

    const complete = new Set(rows.filter(({ count }) => count === MEMBERS).map(({ title }) => title));
    const lost = [...acknowledged].filter((title) => !complete.has(title));
    const keys = received.map(({ envelope, subject }) => `${envelope.to[0]} ${subject}`);
    const twice = keys.length - new Set(keys).size;
    console.log(
      `acked ${acknowledged.size}, told ${complete.size} to ${MEMBERS} each, lost ${lost.length}; ` +
        `mails ${keys.length} of ${discussions * WITH_ADDRESS}, twice ${twice} (${engine}, ${KILLS} kills)`,
    );
    expect(acknowledged.size).toBeGreaterThan(KILLS);
    expect(lost).toEqual([]);
    expect(rows.filter(({ count }) => count !== MEMBERS)).toEqual([]);
    // Authors are not notified of their own discussions, so an inbox of theirs may exist but is empty.
    const filled = inboxes.filter(({ all_count }) => all_count > 0);
    expect(filled).toHaveLength(MEMBERS);
    for (const inbox of filled) expect(inbox).toEqual({ all_count: discussions, unread_count: discussions });
    for (const { all_count, unread_count } of inboxes) if (all_count === 0) expect(unread_count).toBe(0);
    expect(twice).toBe(0);
    expect(keys.length).toBeGreaterThan(discussions);
    expect(exitStatus).toBe(0);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
