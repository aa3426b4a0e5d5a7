import { createRepo, listModels } from '@moonbase/client/repositories';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { signTags } from '../src/cards/index.ts';
import { migrate } from '../src/platform/database/migrate.ts';
import type { Executor } from '../src/platform/database/transaction.ts';
import { toJson } from '../src/platform/stored-form.ts';
import { tagSignature } from '../src/repositories/lists/tag-signature.ts';
import { contentHub } from './content-hub.ts';
import { collect } from './harness.ts';
import { migrateUpTo } from './migrate-up-to.ts';
import { migrations, openEmptyDatabase } from './open-test-database.ts';

const REPOS = 501;

test('a list by tags has what has them all, also where the signature is not made or says more', async () => {
  await using at = await contentHub();
  const { hub } = at;
  const tagged: Record<string, string[]> = { one: ['Red'], two: ['red', 'blue'], three: ['blue'], none: [] };
  for (const [name, tags] of Object.entries(tagged)) {
    await createRepo({ ...hub.as('ada'), repo: `ada/${name}` });
    await at.commit(
      { files: { 'README.md': `---\ntags: ${JSON.stringify(tags)}\n---\n` } },
      { repo: `models/ada/${name}` },
    );
  }
  await hub.drain();
  const find = async (...filter: string[]) =>
    (await collect(listModels({ ...hub.as('ada'), filter }))).map(({ id }) => id).toSorted();
  const isFound = async () => {
    expect(await find('red')).toEqual(['ada/one', 'ada/two']);
    expect(await find('RED', 'blue')).toEqual(['ada/two']);
    expect(await find('green')).toEqual([]);
    expect(await find('region:us')).toEqual(['ada/none', 'ada/one', 'ada/three', 'ada/two']);
  };
  await isFound();
  for (const signature of [null, 2 ** 52 - 1]) {
    await hub.database.transaction((tx) => tx.updateTable('repositories').set({ tag_signature: signature }).execute());
    await isFound();
  }
  await at.commit({ files: { 'README.md': '---\ntags: [green]\n---\n' } }, { repo: 'models/ada/one' });
  await hub.drain();
  expect(await find('green')).toEqual(['ada/one']);
  expect(await find('red')).toEqual(['ada/two']);
});

test('a list has what a process of the release before stores, which knows no signatures', async () => {
  await using at = await contentHub();
  const { hub } = at;
  await at.commit({ files: { 'README.md': '---\ntags: [red]\n---\n' } });
  await hub.drain();
  const find = async (tag: string) =>
    (await collect(listModels({ ...hub.as('ada'), filter: [tag] }))).map(({ id }) => id);
  const store = (tag: string, change: (tx: Executor, repoId: string) => Promise<unknown>) =>
    hub.database.transaction(async (tx) => {
      const { id } = await tx.selectFrom('repositories').select('id').where('name', '=', 'm').executeTakeFirstOrThrow();
      await change(tx, id);
      await tx.insertInto('repo_tags').values({ tag, type: 'model', repo_id: id }).execute();
    });
  await store('violet', (tx, repoId) =>
    tx
      .updateTable('repo_cards')
      .set({ sha: 'a'.repeat(40) })
      .where('repo_id', '=', repoId)
      .execute(),
  );
  expect(await find('violet')).toEqual(['ada/m']);
  await at.commit({ files: { 'README.md': '---\ntags: [green]\n---\n' } });
  await hub.drain();
  expect([await find('violet'), await find('green')]).toEqual([[], ['ada/m']]);
  await store('yellow', async (tx, repoId) => {
    await tx.deleteFrom('repo_cards').where('repo_id', '=', repoId).execute();
    await tx
      .insertInto('repo_cards')
      .values({ repo_id: repoId, sha: 'b'.repeat(40), tags: toJson([]), details: toJson({}) })
      .execute();
  });
  expect(await find('yellow')).toEqual(['ada/m']);
});

test('signatures of repositories of before the upgrade are made in steps', async () => {
  await using opened = await openEmptyDatabase();
  const { database } = opened;
  await migrateUpTo(database, '0125');
  await database.transaction(async (tx) => {
    await sql`insert into accounts (id, kind, name, name_key, fullname, created_at)
      values ('a', 'user', 'alice', 'alice', 'Alice', 1)`.execute(tx);
    for (let at = 0; at < REPOS; at += 1) {
      const id = `r${String(at).padStart(3, '0')}`;
      await sql`insert into repositories (id, type, owner_id, name, name_key, created_at)
        values (${id}, 'model', 'a', ${id}, ${id}, 1)`.execute(tx);
      if (at > 0)
        await sql`insert into repo_tags (tag, type, repo_id) values (${`tag-${at}`}, 'model', ${id})`.execute(tx);
    }
  });
  await migrate(database, migrations, 0);
  const step = () => database.transaction((tx) => signTags(tx, { id: 't', data: null, createdAt: 0 }));
  const signatures = async () =>
    (await database.read.selectFrom('repositories').select('tag_signature').orderBy('id').execute()).map(
      ({ tag_signature }) => (tag_signature === null ? null : Number(tag_signature)),
    );
  expect((await signatures()).every((signature) => signature === null)).toBe(true);
  expect(await step()).toEqual({ data: null });
  expect((await signatures()).filter((signature) => signature === null)).toHaveLength(1);
  for (let result: unknown; result !== 'done'; ) result = await step();
  expect(await signatures()).toEqual(
    Array.from({ length: REPOS }, (_, at) => (at === 0 ? 0 : tagSignature([`tag-${at}`]))),
  );
  expect(await step()).toBe('done');
});
