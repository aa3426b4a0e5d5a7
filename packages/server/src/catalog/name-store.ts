import { type RawBuilder, sql } from 'kysely';
import { contains } from '../platform/database/contains.ts';
import { isPostgres, type ReadExecutor } from '../platform/database/transaction.ts';

/** The letters in a row that the index of names knows. */
const GRAM_LENGTH = 3;

/** The form of a name that is searched, or of two around a slash. */
const NAMES = /^([a-z0-9-]*)(?:\/([a-z0-9-]*))?$/;

const gramsOf = (text: string): string[] => [
  ...new Set(Array.from({ length: text.length - GRAM_LENGTH + 1 }, (_, at) => text.slice(at, at + GRAM_LENGTH))),
];

const isIndexed = (text: string) => text.length >= GRAM_LENGTH;

/**
 * The ids of the accounts and repositories whose name contains a text. The index knows which letters are there, not their
 * order. On SQLite the names of the last minute are not in it yet. The cross join keeps SQLite from looking at all names.
 */
function named(executor: ReadExecutor, text: string): RawBuilder<unknown> {
  const isThere = contains(sql.ref('n.name'), text);
  if (isPostgres(executor))
    return sql`(select n.id from searched_names n where name_grams(n.name) @> ${gramsOf(text)}::text[] and ${isThere})`;
  const match = gramsOf(text)
    .map((gram) => `"${gram}"`)
    .join(' AND ');
  return sql`(
    select n.id from searched_name_grams cross join searched_names n
    where searched_name_grams match ${match} and n.number = searched_name_grams.rowid and n.pending = 0 and ${isThere}
    union all
    select n.id from searched_names n where n.pending = 1 and ${isThere}
  )`;
}

const NOTHING = sql`select repositories.id from repositories where 1 = 0`;

/**
 * The ids of the repositories `r` that pass a condition, for each of the ids `named`. PostgreSQL would rather read all
 * repositories than look them up, and then a limit would end nothing; the offset keeps it from that.
 */
function reposOf(executor: ReadExecutor, text: string, condition: RawBuilder<unknown>): RawBuilder<unknown> {
  const names = sql`${named(executor, text)} as named`;
  return isPostgres(executor)
    ? sql`select found.id from ${names} cross join lateral (
        select r.id from repositories r where ${condition} offset 0
      ) as found`
    : sql`select r.id from ${names} cross join repositories r where ${condition}`;
}

const byOwnName = (executor: ReadExecutor, type: string, text: string) =>
  reposOf(executor, text, sql`r.id = named.id and r.type || '' = ${type}`);

const byOwner = (executor: ReadExecutor, type: string, text: string, condition: RawBuilder<unknown>) =>
  reposOf(executor, text, sql`r.owner_id = named.id and r.type = ${type} and ${condition}`);

/**
 * Returns a query for the ids of the repositories of a type whose full name may contain a word: each once, with all that
 * do among them. Returns undefined if the word is too short for the index of names. The word has the form of `searchable`.
 */
export function havingWord(executor: ReadExecutor, type: string, word: string): RawBuilder<unknown> | undefined {
  const [isName, first = '', second] = NAMES.exec(word) ?? [];
  if (isName === undefined) return NOTHING;
  if (second !== undefined) {
    if (isIndexed(second)) return byOwnName(executor, type, second);
    return isIndexed(first) ? byOwner(executor, type, first, sql`1 = 1`) : undefined;
  }
  if (!isIndexed(first)) return undefined;
  const name = sql`replace(replace(r.name_key, '_', '-'), '.', '-')`;
  return sql`
    select * from (${byOwnName(executor, type, first)}) as own union all
    select * from (${byOwner(executor, type, first, sql`not ${contains(name, first)}`)}) as owned`;
}
