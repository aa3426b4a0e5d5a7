import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { parseAuditQuery } from '../src/audit-log/query.ts';
import { newestFirst } from '../src/audit-log/scan.ts';
import { eventsBetween } from '../src/audit-log/store.ts';
import type { AuditEventRow } from '../src/audit-log/tables.ts';
import type { ReadExecutor } from '../src/platform/database/transaction.ts';
import { type OpenTestDatabase, openTestDatabase } from './open-test-database.ts';
import { engine } from './test-database.ts';

const EVENTS = 20_000;

let opened: OpenTestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase();
  for (let from = 1; from <= EVENTS; from += 500)
    await opened.database.transaction((tx) =>
      tx
        .insertInto('audit_events')
        .values(Array.from({ length: 500 }, (_, offset) => rowAt(from + offset)))
        .execute(),
    );
  // PostgreSQL gets the statistics that autovacuum would collect; SQLite has none.
  if (engine === 'postgres') await opened.database.transaction((tx) => sql`analyze audit_events`.execute(tx));
  return () => opened[Symbol.asyncDispose]();
});

const typeAt = (seq: number): AuditEventRow['type'] =>
  seq === 3 ? 'org.delete' : seq % 1000 === 0 ? 'org.add_user' : seq % 2 === 0 ? 'repo.create' : 'repo.delete';
const authorAt = (seq: number): string => (seq <= 10 ? 'first' : `u${seq % 50}`);

const rowAt = (seq: number): AuditEventRow => ({
  org_id: 'o',
  seq,
  id: String(seq),
  created_at: seq,
  type: typeAt(seq),
  author_id: 'a',
  author_key: authorAt(seq),
  ip: seq % 7 === 0 ? null : `10.0.0.${seq % 100}`,
  token_id: null,
  body: 'x'.repeat(300),
  context: '{}',
  prev_hash: '',
  hash: '',
});

async function search(q: string, most = 100_000): Promise<number[]> {
  const where = { orgId: 'o', query: parseAuditQuery(q), from: 1, below: EVENTS + 1, most };
  const seqs: number[] = [];
  for await (const rows of newestFirst(opened.database.read, where)) seqs.push(...rows.map(({ seq }) => seq));
  return seqs;
}

const wanted = (fits: (seq: number) => boolean) => Array.from({ length: EVENTS }, (_, at) => EVENTS - at).filter(fits);

test.each<[string, (seq: number) => boolean]>([
  ['', () => true],
  ['type:org.delete', (seq) => seq === 3],
  ['type:org.*', (seq) => seq === 3 || seq % 1000 === 0],
  ['-type:repo.*', (seq) => seq === 3 || seq % 1000 === 0],
  ['author:first', (seq) => seq <= 10],
  ['author:u1 author:u2', (seq) => seq > 10 && (seq % 50 === 1 || seq % 50 === 2)],
  ['author:u2 type:repo.create', (seq) => seq > 10 && seq % 50 === 2],
  ['author:u1 type:repo.create', () => false],
  ['ip:10.0.0.8 -author:u8', (seq) => seq % 100 === 8 && seq % 7 !== 0 && authorAt(seq) !== 'u8'],
  ['-ip:10.0.0.8 type:org.*', (seq) => seq === 3 || seq % 1000 === 0],
])('the search %j finds all matches, in order', async (q, fits) => {
  expect(await search(q)).toEqual(wanted(fits));
});

test('a search stops at the requested number', async () => {
  expect(await search('', 137)).toEqual(wanted((seq) => seq > EVENTS - 137));
  expect(await search('type:repo.*', 5)).toHaveLength(5);
});

const explained = async (executor: ReadExecutor, q: string): Promise<string> => {
  const part = eventsBetween(executor, 'o', parseAuditQuery(q), { from: 1000, below: 17_000, limit: 100 });
  const explain = engine === 'postgres' ? sql`explain` : sql`explain query plan`;
  const { rows } = await sql<Record<string, unknown>>`${explain} ${part}`.execute(executor);
  return rows.map((row) => String(row.detail ?? row['QUERY PLAN'])).join('\n');
};

test.each([
  ['type:org.delete', 'audit_events_type'],
  ['type:org.*', 'audit_events_type'],
  ['author:first', 'audit_events_author'],
  ['author:first author:u1', 'audit_events_author'],
  ['author:first type:org.*', 'audit_events_(author|type)'],
  ['ip:10.0.0.8', 'audit_events_ip'],
  ['ip:10.0.0.8 author:u1 -type:repo.*', 'audit_events_(ip|author)'],
  ['', engine === 'postgres' ? 'audit_events_pkey' : 'autoindex'],
])('the search %j uses the index %s', async (q, index) => {
  expect(await explained(opened.database.read, q)).toMatch(new RegExp(`${index}[^]*seq`));
});
