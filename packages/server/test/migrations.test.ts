import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { MailRow } from '../src/mail/tables.ts';
import { migrate } from '../src/platform/database/migrate.ts';
import type { LinkRow } from '../src/sign-in/tables.ts';
import { matchingWebhooks } from '../src/webhooks/matching/matching.ts';
import { createTestClock } from './clock.ts';
import { migrateUpTo } from './migrate-up-to.ts';
import { migrations, openEmptyDatabase } from './open-test-database.ts';

test('existing repositories and discussions get dates and counts and are found', async () => {
  await using opened = await openEmptyDatabase();
  const { database } = opened;
  await migrateUpTo(database, '0005');
  await database.transaction(async (tx) => {
    const run = (statement: string) => sql.raw(statement).execute(tx);
    await run(`insert into accounts (id, kind, name, name_key, fullname, created_at)
      values ('a', 'user', 'alice', 'alice', 'Alice', 1)`);
    await run(`insert into repositories (id, type, owner_id, name, name_key, created_at)
      values ('r', 'model', 'a', 'letters', 'letters', 10)`);
    for (const num of [1, 2])
      await run(`insert into discussions (id, repo_id, num, title, status, is_pull_request, created_at)
        values ('d${num}', 'r', ${num}, 'A Question', 'open', 0, 20)`);
    for (const [at, type] of ['comment', 'title-change', 'comment', 'status-change'].entries())
      await run(`insert into discussion_events (id, discussion_id, type, created_at, data)
        values ('e${at}', 'd1', '${type}', ${20 + at}, '{}')`);
  });

  await migrate(database, migrations, 0);
  const { read } = database;
  expect(await read.selectFrom('repositories').select('last_modified').execute()).toEqual([{ last_modified: 10 }]);
  const columns = ['num', 'title_key', 'comment_count', 'active_at', 'pinned', 'head_sha'] as const;
  expect(await read.selectFrom('discussions').select(columns).orderBy('num').execute()).toEqual([
    { num: 1, title_key: 'a question', comment_count: 2, active_at: 23, pinned: 0, head_sha: null },
    { num: 2, title_key: 'a question', comment_count: 0, active_at: 20, pinned: 0, head_sha: null },
  ]);
});

test('rebuilding the delivery tables keeps queues and logs with their attempts and constraints', async () => {
  await using opened = await openEmptyDatabase();
  const { database } = opened;
  const { read } = database;
  await migrateUpTo(database, '0008');
  const run = (statement: string) => database.transaction((tx) => sql.raw(statement).execute(tx));
  await run(`insert into accounts (id, kind, name, name_key, fullname, created_at)
    values ('a', 'user', 'alice', 'alice', 'Alice', 1)`);
  await run(`insert into webhooks (id, owner_id, domains, state, created_at) values ('w', 'a', '[]', 'enabled', 1)`);
  for (const [id, doneAt] of Object.entries({ e1: '5', e2: 'null' }))
    await run(`insert into events (id, topic, created_at, data, due_at, lease, done_at)
      values ('${id}', 'repo', 1, '{}', 31, 'held', ${doneAt})`);
  const rows = { d1: ['trigger', 'e1'], d2: ['replay', 'd2'], d3: ['recovery', 'replay/d1'] };
  for (const [id, [kind, key]] of Object.entries(rows)) {
    await run(`insert into deliveries (id, webhook_id, event_id, trigger_key, created_at, status, lane, due_at, lease,
      attempts, kind, scope, action, repo_id, repo_type, repo_name, repo_key, repo_owner_id, repo_private)
      values ('${id}', 'w', 'e1', '${key}', 1, 'pending', 'l', 31, 'held', 2, '${kind}', 'repo', 'create', 'r', 'model',
      'alice/r', 'alice/r', 'a', 0)`);
    for (const at of ['x', 'y'])
      await run(`insert into delivery_attempts (id, delivery_id, created_at, url, duration_ms)
        values ('${at}${id}', '${id}', 1, 'https://example.com/${at}', 1)`);
  }

  await migrate(database, migrations, 0);
  const columns = ['id', 'trigger_key', 'event_id', 'status', 'due_at', 'attempts'] as const;
  const same = { event_id: 'e1', status: 'pending', due_at: 31, attempts: 2 };
  expect(await read.selectFrom('deliveries').select(columns).orderBy('id').execute()).toEqual([
    { id: 'd1', trigger_key: 'e1', ...same },
    { id: 'd2', trigger_key: 'e1/d2', ...same },
    { id: 'd3', trigger_key: 'e1/replay/d1', ...same },
  ]);
  const attempts = () =>
    read.selectFrom('delivery_attempts').select(['delivery_id', 'number', 'url']).orderBy('number').execute();
  expect((await attempts()).filter((attempt) => attempt.delivery_id === 'd2')).toEqual([
    { delivery_id: 'd2', number: 1, url: 'https://example.com/x' },
    { delivery_id: 'd2', number: 2, url: 'https://example.com/y' },
  ]);
  expect(await read.selectFrom('events').select(['id', 'progress']).where('done_at', 'is', null).execute()).toEqual([
    { id: 'e2', progress: null },
  ]);
  const again = `insert into deliveries select 'd4' as id, webhook_id, event_id, trigger_key, created_at, status, lane,
    due_at, attempts, kind, replay_of, scope, action, repo_id, repo_type, repo_name, repo_key, repo_owner_id,
    repo_private, response_status, error, duration_ms, job_id, repo_group_id from deliveries where id = 'd1'`;
  await expect(run(again)).rejects.toThrow(/unique/i);
  await expect(run(`update deliveries set webhook_id = 'nobody' where id = 'd1'`)).rejects.toThrow(/foreign key/i);
  await run(`delete from deliveries where id = 'd1'`);
  expect(await attempts()).toHaveLength(4);
  await run(`delete from webhooks where id = 'w'`);
  expect(await attempts()).toEqual([]);
});

test('existing members watch their organization', async () => {
  await using opened = await openEmptyDatabase();
  const { database } = opened;
  await migrateUpTo(database, '0009');
  const run = (statement: string) => database.transaction((tx) => sql.raw(statement).execute(tx));
  for (const [id, kind] of Object.entries({ a: 'user', b: 'user', o: 'org' }))
    await run(`insert into accounts (id, kind, name, name_key, fullname, created_at)
      values ('${id}', '${kind}', '${id}', '${id}', '${id}', 1)`);
  await run(`insert into memberships (org_id, user_id, role, created_at)
    values ('o', 'a', 'read', 5), ('o', 'b', 'no_access', 6)`);
  await migrate(database, migrations, 0);
  expect(await database.read.selectFrom('watches').selectAll().execute()).toEqual([
    { user_id: 'a', target_type: 'org', target_id: 'o', created_at: 5 },
  ]);
});

test('existing authors of papers are assigned by the document', async () => {
  await using opened = await openEmptyDatabase();
  const { database } = opened;
  await migrateUpTo(database, '0011');
  const run = (statement: string) => database.transaction((tx) => sql.raw(statement).execute(tx));
  await run(`insert into accounts (id, kind, name, name_key, fullname, created_at)
    values ('a', 'user', 'alice', 'alice', 'Alice', 1)`);
  await run(`insert into papers (id, arxiv_id, title, summary, created_at) values ('p', '2401.01234', 't', 's', 5)`);
  for (const [position, user] of [`'a'`, 'null'].entries())
    await run(`insert into paper_authors (id, paper_id, position, name, user_id)
      values ('e${position}', 'p', ${position}, 'A', ${user})`);

  await migrate(database, migrations, 0);
  const columns = ['user_id', 'status', 'status_changed_at'] as const;
  expect(await database.read.selectFrom('paper_authors').select(columns).orderBy('position').execute()).toEqual([
    { user_id: 'a', status: 'admin_assigned', status_changed_at: 5 },
    { user_id: null, status: null, status_changed_at: null },
  ]);
});

test('existing writers in a discussion participate in it', async () => {
  await using opened = await openEmptyDatabase();
  const { database } = opened;
  await migrateUpTo(database, '0012');
  await database.transaction(async (tx) => {
    const run = (statement: string) => sql.raw(statement).execute(tx);
    for (const name of ['alice', 'bob'])
      await run(`insert into accounts (id, kind, name, name_key, fullname, created_at)
        values ('${name}', 'user', '${name}', '${name}', 'A', 1)`);
    await run(`insert into repositories (id, type, owner_id, name, name_key, created_at)
      values ('r', 'model', 'alice', 'letters', 'letters', 10)`);
    await run(`insert into discussions (id, repo_id, num, title, status, is_pull_request, created_at)
      values ('d', 'r', 1, 'A Question', 'open', 0, 20)`);
    const events = [
      ['alice', 'comment'],
      ['bob', 'status-change'],
      ['alice', 'comment'],
      ['bob', 'title-change'],
    ];
    for (const [at, [author, type]] of events.entries())
      await run(`insert into discussion_events (id, discussion_id, type, author_id, created_at, data)
        values ('e${at}', 'd', '${type}', '${author}', ${20 + at}, '{}')`);
    await run(`insert into discussion_events (id, discussion_id, type, created_at, data)
      values ('e9', 'd', 'comment', 30, '{}')`);
  });

  await migrate(database, migrations, 0);
  const rows = await database.read.selectFrom('thread_participants').selectAll().orderBy('user_id').execute();
  const taking = { thread_id: 'd', source_id: 'r', wrote: 1, mentioned: 0 };
  expect(rows).toEqual([
    { ...taking, user_id: 'alice', last_at: 22 },
    { ...taking, user_id: 'bob', last_at: 21 },
  ]);
});

test('resource groups that share a name keep it, and no other group can take it', async () => {
  await using opened = await openEmptyDatabase();
  const { database } = opened;
  await migrateUpTo(database, '0052');
  const run = (statement: string) => database.transaction((tx) => sql.raw(statement).execute(tx));
  for (const id of ['o', 'p'])
    await run(`insert into accounts (id, kind, name, name_key, fullname, created_at)
      values ('${id}', 'org', '${id}', '${id}', '${id}', 1)`);
  const groups = [
    ['g1', 'o', 'Lab'],
    ['g2', 'o', ' lab '],
    ['g3', 'o', 'LAB'],
    ['g4', 'o', ''],
    ['g5', 'o', ' '],
    ['g6', 'p', 'lab'],
  ];
  for (const [id, org, name] of groups)
    await run(`insert into resource_groups (id, org_id, name, created_at) values ('${id}', '${org}', '${name}', 1)`);

  await migrate(database, migrations, 0);
  const rows = await database.read.selectFrom('resource_groups').selectAll().orderBy('id').execute();
  expect(rows.map(({ id, org_id, name }) => [id, org_id, name])).toEqual(groups);
  expect(rows.map(({ name_key }) => name_key)).toEqual(['lab', 'lab g2', 'lab g3', '', ' g5', 'lab']);
});

test('addresses from SCIM move to its organization, other addresses stay with the account', async () => {
  await using opened = await openEmptyDatabase();
  const { database } = opened;
  await migrateUpTo(database, '0049');
  await database.transaction(async (tx) => {
    const run = (statement: string) => sql.raw(statement).execute(tx);
    const account = (id: string, kind: string, email: string) =>
      run(`insert into accounts (id, kind, name, name_key, fullname, created_at, email)
        values ('${id}', '${kind}', '${id}', '${id}', '${id}', 1, ${email})`);
    const known = (userId: string, owned: number, email: string) =>
      run(`insert into scim_users (org_id, user_id, owned, user_name, user_name_key, email, email_key, created_at, updated_at)
        values ('acme', '${userId}', ${owned}, '${userId}', '${userId}', '${email}', '${email.toLowerCase()}', 1, 1)`);
    await account('acme', 'org', 'null');
    await account('made', 'user', "'Made@acme.test'");
    await account('confirmed', 'user', "'confirmed@home.test'");
    await account('adopted', 'user', "'adopted@acme.test'");
    await known('made', 1, 'Made@acme.test');
    await known('confirmed', 1, 'confirmed@acme.test');
    await known('adopted', 0, 'adopted@acme.test');
    await run(
      `insert into invitations (id, org_id, email, role, created_at) values ('i', 'acme', 'x@y.test', 'read', 1)`,
    );
  });

  await migrate(database, migrations, 0);
  const { read } = database;
  expect(await read.selectFrom('accounts').select(['id', 'email']).orderBy('id').execute()).toEqual([
    { id: 'acme', email: null },
    { id: 'adopted', email: 'adopted@acme.test' },
    { id: 'confirmed', email: 'confirmed@home.test' },
    { id: 'made', email: null },
  ]);
  const given = await read.selectFrom('scim_users').select('email').where('user_id', '=', 'made').execute();
  expect(given).toEqual([{ email: 'Made@acme.test' }]);
  const invitations = await read.selectFrom('invitations').select(['email', 'nonce', 'expires_at']).execute();
  expect(invitations).toEqual([{ email: 'x@y.test', nonce: null, expires_at: null }]);
});

test('events waiting during the migration reach the webhooks that watched at that time', async () => {
  await using opened = await openEmptyDatabase();
  const { database } = opened;
  await migrateUpTo(database, '0054');
  await database.transaction(async (tx) => {
    const run = (statement: string) => sql.raw(statement).execute(tx);
    await run(`insert into accounts (id, kind, name, name_key, fullname, created_at)
      values ('a', 'user', 'alice', 'alice', 'Alice', 1)`);
    for (const state of ['enabled', 'disabled'])
      await run(`insert into webhooks (id, owner_id, domains, state, created_at)
        values ('${state}', 'a', '["repo"]', '${state}', 1)`);
    for (const [at, id] of ['enabled', 'enabled', 'disabled'].entries())
      await run(`insert into webhook_watched (webhook_id, position, type, name, name_key, target_id)
        values ('${id}', ${at}, 'model', 'alice/r${at}', 'alice/r${at}', ${at === 0 ? "'r0'" : 'null'})`);
    await run(`insert into events (id, topic, created_at, data, due_at) values ('e', 'repo', 1, '{}', 1)`);
  });

  await migrate(database, migrations, 0);
  const { read } = database;
  const { epoch } = await read.selectFrom('events').select('epoch').executeTakeFirstOrThrow();
  const owner = { ownerId: 'a', ownerKind: 'user', private: false, groupId: null } as const;
  const heard = async (id: string) => {
    const data = { repo: { ...owner, id, type: 'model' as const, name: `alice/${id}` } };
    const event = { id: 'e', topic: 'repo', createdAt: 1, epoch, data };
    const found = await database.transaction((tx) =>
      matchingWebhooks(tx, event, '', { limit: 10, clock: createTestClock() }),
    );
    return found.webhooks.map((webhook) => [webhook.id, Boolean(webhook.stopped)]);
  };
  expect(await Promise.all(['r0', 'r1', 'r2'].map(heard))).toEqual([[['enabled', false]], [['enabled', false]], []]);
});

test('links and mails stay as they were when those of people without an account are added', async () => {
  await using opened = await openEmptyDatabase();
  const { database } = opened;
  await migrateUpTo(database, '0078');
  const link: LinkRow = {
    ...{ hash: 'h', purpose: 'email' as const, user_id: 'a', created_at: 1, expires_at: 9, used_at: null },
    ...{ nonce: 'n', email: 'alice@example.com' },
  };
  const mail: MailRow = {
    ...{ id: 'm', user_id: 'a', kind: 'security', thread_id: 't', first_comment_id: 'c', last_comment_id: 'd' },
    ...{ data: '{}', created_at: 2, due_at: 3, attempts: 4, state: 'waiting' as const, error: 'away' },
  };
  await database.transaction(async (tx) => {
    await sql`insert into accounts (id, kind, name, name_key, fullname, created_at)
      values ('a', 'user', 'alice', 'alice', 'Alice', 1)`.execute(tx);
    await tx.insertInto('one_time_links').values(link).execute();
    await tx.insertInto('mails').values(mail).execute();
  });

  await migrate(database, migrations, 0);
  const rows = async () => [
    ...(await database.read.selectFrom('one_time_links').selectAll().execute()),
    ...(await database.read.selectFrom('mails').selectAll().execute()),
  ];
  expect(await rows()).toEqual([link, mail]);
  const insertAgain = () =>
    database.transaction((tx) =>
      tx
        .insertInto('mails')
        .values({ ...mail, id: 'm2' })
        .execute(),
    );
  await expect(insertAgain()).rejects.toThrow(/unique|duplicate/i);
  await database.transaction((tx) => tx.deleteFrom('accounts').where('id', '=', 'a').execute());
  expect(await rows()).toEqual([]);
});
