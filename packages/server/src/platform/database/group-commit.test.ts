import { Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import { createGroupCommit } from './group-commit.ts';
import { IN_MEMORY, openSqlite } from './sqlite/sqlite.ts';
import type { Tables } from './tables.ts';

/** Opens a database whose commits become durable when the test says so; `told` lists the writers that have returned. */
async function controlled() {
  const file = openSqlite(IN_MEMORY);
  const writer = new Kysely<Tables>({ dialect: file.writer });
  await sql`create table things (name text primary key)`.execute(writer);
  const syncs: { end(): void; fail(error: Error): void }[] = [];
  const group = createGroupCommit(
    writer,
    () => new Promise<void>((resolve, reject) => syncs.push({ end: resolve, fail: reject })),
  );
  const told: string[] = [];
  const shown: string[] = [];
  const put = async (name: string, durable = true): Promise<void> => {
    const work = async (tx: Kysely<Tables>) => {
      await sql`insert into things values (${name})`.execute(tx);
    };
    await group.run(work, { durable, onShown: () => shown.push(name) });
    told.push(name);
  };
  return { syncs, put, shown, told, durable: group.durable, [Symbol.asyncDispose]: () => writer.destroy() };
}

test('no writer returns before its commit is durable, and the next group works meanwhile', async () => {
  await using database = await controlled();
  const { syncs, put, shown, told } = database;
  const first = [put('a'), put('b')];
  await expect.poll(() => syncs.length).toBe(1);
  expect(shown).toEqual(['a', 'b']);
  const second = put('c');
  await expect.poll(() => syncs.length).toBe(2);
  expect(told).toEqual([]);
  syncs[0]?.end();
  await Promise.all(first);
  expect(told).toEqual(['a', 'b']);
  syncs[1]?.end();
  await second;
  expect(told).toEqual(['a', 'b', 'c']);
});

test('what readers see counts as durable only when its sync has ended', async () => {
  await using database = await controlled();
  const { syncs, put, durable } = database;
  await durable();
  const first = put('a');
  await expect.poll(() => syncs.length).toBe(1);
  let isDurable = false;
  const waiting = durable().then(() => {
    isDurable = true;
  });
  const second = put('b');
  await expect.poll(() => syncs.length).toBe(2);
  expect(isDurable).toBe(false);
  syncs[0]?.end();
  await first;
  await waiting;
  let areBothDurable = false;
  const waitingForBoth = durable().then(() => {
    areBothDurable = true;
  });
  expect(areBothDurable).toBe(false);
  syncs[1]?.end();
  await second;
  await waitingForBoth;
  await durable();
  expect(syncs).toHaveLength(2);
});

test('a lone writer that need not wait for the disk returns at its commit, and one beside others with them', async () => {
  await using database = await controlled();
  const { syncs, put, told, durable } = database;
  await put('a', false);
  expect(told).toEqual(['a']);
  const group = [put('b', false), put('c')];
  await expect.poll(() => syncs.length).toBe(2);
  syncs[0]?.end();
  expect(told).toEqual(['a']);
  const waiting = durable();
  syncs[1]?.end();
  await Promise.all(group);
  expect(told).toEqual(['a', 'b', 'c']);
  await waiting;
});

test('every writer of a group learns that the commit did not become durable', async () => {
  await using database = await controlled();
  const { syncs, put, told } = database;
  const outcomes = Promise.allSettled([put('a'), put('b')]);
  await expect.poll(() => syncs.length).toBe(1);
  syncs[0]?.fail(new Error('I/O error'));
  for (const outcome of await outcomes)
    expect(outcome).toMatchObject({ status: 'rejected', reason: { message: 'I/O error' } });
  expect(told).toEqual([]);
});
