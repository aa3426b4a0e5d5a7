import { type RawBuilder, sql } from 'kysely';
import { notDeleted, notDisabled, type Reader } from '../access/index.ts';
import type { AccountRow } from '../accounts/index.ts';
import { contains } from '../platform/database/contains.ts';
import { countUpTo } from '../platform/database/count-up-to.ts';
import type { ReadExecutor } from '../platform/database/transaction.ts';

export type FoundAccount = Pick<AccountRow, 'id' | 'name' | 'fullname' | 'avatar_url'>;

/** The accounts of a kind whose name or full name has every word, except deleted organizations and disabled users. */
function withWords(reader: Reader, kind: AccountRow['kind'], words: readonly string[]): RawBuilder<unknown> {
  const id = sql.ref<string>('accounts.id');
  const refusing = Object.keys(reader.token.cutOff ?? {});
  const conditions = [
    sql`accounts.kind = ${kind}`,
    ...words.map((word) => contains(sql`lower(accounts.name || ' ' || accounts.fullname)`, word)),
    kind === 'org' ? notDeleted(id) : notDisabled(id),
    ...(refusing.length === 0 ? [] : [sql`accounts.id not in (${sql.join(refusing)})`]),
  ];
  return sql`from accounts where ${sql.join(conditions, sql` and `)}`;
}

/** Returns accounts by their names, the shortest first: what a word is all of comes before what it is a part of. */
export async function findAccountsLike(
  executor: ReadExecutor,
  reader: Reader,
  kind: AccountRow['kind'],
  words: readonly string[],
  limit: number,
): Promise<FoundAccount[]> {
  const { rows } = await sql<FoundAccount>`
    select accounts.id, accounts.name, accounts.fullname, accounts.avatar_url ${withWords(reader, kind, words)}
    order by length(accounts.name), accounts.name_key limit ${limit}`.execute(executor);
  return rows;
}

/** Returns how many accounts have the words, up to a maximum. */
export const countAccountsLike = (
  executor: ReadExecutor,
  reader: Reader,
  kind: AccountRow['kind'],
  words: readonly string[],
  max: number,
): Promise<number> => countUpTo(executor, withWords(reader, kind, words), max);
