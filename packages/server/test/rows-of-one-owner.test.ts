import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { findGranted } from '../src/content/large-files/grant-store.ts';
import { findDiscussion } from '../src/discussions/store.ts';
import { type Database, type Executor, openDatabase } from '../src/platform/database/transaction.ts';
import { findRepo, hasCommit, insertRef, refInTheWay, refSha } from '../src/repositories/store.ts';
import { createTestDatabase, engine } from './test-database.ts';

const OWNERS = 6000;
const OF_ONE = 2000;

/**
 * Fills a hub in which one organization has many repositories, one of which has many refs, discussions and files;
 * others have one of each.
 */
const fill = (database: Database) =>
  database.transaction(async (tx) => {
    const owners = sql`generate_series(1, ${sql.lit(OWNERS)}) as i`;
    const many = sql`generate_series(1, ${sql.lit(OF_ONE)}) as i`;
    await sql`insert into accounts (id, kind, name, name_key, fullname, created_at, plan)
      select 'u' || i, 'user', 'user-' || i, 'user-' || i, '', 0, 'free' from ${owners}`.execute(tx);
    await sql`insert into accounts (id, kind, name, name_key, fullname, created_at, plan)
      values ('acme', 'org', 'acme', 'acme', '', 0, 'free')`.execute(tx);
    await sql`insert into repositories (id, type, owner_id, name, name_key, created_at)
      select 'r' || i, 'model', 'u' || i, 'notes', 'notes', 0 from ${owners}`.execute(tx);
    await sql`insert into repositories (id, type, owner_id, name, name_key, created_at)
      select 'a' || i, 'model', 'acme', 'notes-' || i, 'notes-' || i, 0 from ${many}`.execute(tx);
    await sql`insert into refs (repo_id, ref, sha)
      select id, 'refs/heads/main', md5(id) from repositories`.execute(tx);
    await sql`insert into refs (repo_id, ref, sha)
      select 'a1', 'refs/heads/branch-' || i, md5('' || i) from ${many}`.execute(tx);
    await sql`insert into discussions (id, repo_id, num, title, status, is_pull_request, created_at)
      select 'd' || id, id, 1, 'A question', 'open', 0, 0 from repositories where id <> 'a1'`.execute(tx);
    await sql`insert into discussions (id, repo_id, num, title, status, is_pull_request, created_at)
      select 'e' || i, 'a1', i, 'A question', 'open', 0, 0 from ${many}`.execute(tx);
    await sql`insert into blobs (sha256, size, state, checked_at) select sha, 1, 'stored', 0 from refs`.execute(tx);
    await sql`insert into repo_files (repo_id, sha256, size, pushed_at) select repo_id, sha, 1, 0 from refs`.execute(
      tx,
    );
    await sql`analyze`.execute(tx);
  });

/** Returns how many rows of a table the work reads, with the plan that PostgreSQL keeps for all values. */
async function rowsReadBy(
  database: Database,
  table: string,
  work: (tx: Executor) => Promise<unknown>,
): Promise<number> {
  return database.transaction(async (tx) => {
    await sql`set local plan_cache_mode = force_generic_plan`.execute(tx);
    const read = async () => {
      const { rows } = await sql<{
        count: string;
      }>`select coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) as count
        from pg_stat_xact_user_tables where relname = ${table}`.execute(tx);
      return Number(rows[0]?.count);
    };
    const before = await read();
    await work(tx);
    return (await read()) - before;
  });
}

/** Planning reads a few rows as well. */
const FEW = 10;

test.runIf(engine === 'postgres')('a look-up among many of one owner reads few, although most have one', async () => {
  await using place = await createTestDatabase();
  await using database = openDatabase(place.location);
  await fill(database);
  const expectFew = async (table: string, work: (tx: Executor) => Promise<void>) =>
    expect(await rowsReadBy(database, table, work)).toBeLessThan(FEW);

  const name = { type: 'model', namespace: 'acme', name: 'notes-77' } as const;
  await expectFew('repositories', async (tx) => expect((await findRepo(tx, name))?.id).toBe('a77'));
  await expectFew('discussions', async (tx) => expect((await findDiscussion(tx, 'a1', 77))?.id).toBe('e77'));
  await expectFew('refs', async (tx) => expect(await refSha(tx, 'a1', 'refs/heads/branch-77')).toHaveLength(32));
  await expectFew('refs', async (tx) => expect(await hasCommit(tx, 'a1', 'none')).toBe(false));
  const { rows: files } = await sql<{ sha256: string }>`select sha256 from repo_files where repo_id = 'a1'`.execute(
    database.read,
  );
  const hashes = files.slice(0, 2).map(({ sha256 }) => sha256);
  await expectFew('repo_files', async (tx) => expect(await findGranted(tx, 'a1', hashes)).toHaveLength(2));
  const inTheWay = 'refs/heads/branch-77';
  await expectFew('refs', async (tx) => expect(await refInTheWay(tx, 'a1', `${inTheWay}/x`)).toBe(inTheWay));
  await expectFew('refs', async (tx) => expect(await refInTheWay(tx, 'a1', 'refs/heads/branch')).toBeUndefined());
  const row = { repo_id: 'a1', sha: 'none', tag_id: null };
  await expectFew('refs', async (tx) => expect(await insertRef(tx, { ...row, ref: 'refs/heads/new/one' })).toBe(true));
  await expectFew('refs', async (tx) => expect(await insertRef(tx, { ...row, ref: `${inTheWay}/x` })).toBe(false));
});
