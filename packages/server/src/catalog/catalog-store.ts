import type { RepoType } from '@moonbase/contract/primitives';
import { type RawBuilder, sql } from 'kysely';
import { type Reader, readableBy, repoColumns } from '../access/index.ts';
import { contains } from '../platform/database/contains.ts';
import { countAllUpTo } from '../platform/database/count-up-to.ts';
import { isPostgres, type ReadExecutor } from '../platform/database/transaction.ts';
import { whereIn } from '../platform/database/where-in.ts';
import { namesAreFilled, type Repository } from '../repositories/index.ts';
import type { CatalogFilter } from './filter.ts';
import type { Position } from './keyset.ts';
import { havingWord } from './name-store.ts';
import { accountsOf, allOf, type Selection, smallest } from './selection-store.ts';

export interface CatalogQuery extends Omit<CatalogFilter, 'author' | 'type'> {
  readonly type: RepoType;
  readonly ownerId: string | undefined;
  /** The last repository of the previous page. */
  readonly after: Position | undefined;
  readonly limit: number;
}

/** The columns that lists are sorted by; each has an index with type and visibility before it. */
export const SORT_COLUMNS = {
  createdAt: 'created_at',
  lastModified: 'last_modified',
  downloads: 'downloads',
  likes: 'likes',
  trendingScore: 'trending_score',
} as const satisfies Record<CatalogFilter['sort'], string>;

const ownedBy = (owners: RawBuilder<unknown>, type: string) =>
  sql`select o.id from repositories o where o.type = ${type} and o.owner_id in (${owners})`;

/** The filters that an index answers, as queries for the ids of repositories. */
const selectionsOf = (
  executor: ReadExecutor,
  { type, tags, ownerId, words }: CatalogQuery,
  byName: boolean,
): RawBuilder<unknown>[] => [
  ...(byName ? words.flatMap((word) => havingWord(executor, type, word) ?? []) : []),
  ...tags.map((tag) => sql`select t.repo_id as id from repo_tags t where t.tag = ${tag} and t.type = ${type}`),
  ...(ownerId === undefined ? [] : [ownedBy(sql`${ownerId}`, type)]),
];

const SEARCHED = sql`replace(replace(accounts.name_key || '/' || repositories.name_key, '_', '-'), '.', '-')`;

const parameterCount = (executor: ReadExecutor) =>
  isPostgres(executor)
    ? sql`cast(c.details::jsonb #>> '{safetensors,total}' as numeric)`
    : sql`c.details ->> '$.safetensors.total'`;

function conditionsOf(executor: ReadExecutor, query: CatalogQuery): RawBuilder<unknown>[] {
  const { type, words, tags, gated, pipeline, parameters, ownerId, sort, direction, after } = query;
  const card = (condition: RawBuilder<unknown>) =>
    sql`exists (select 1 from repo_cards c where c.repo_id = repositories.id and ${condition})`;
  const position = sql`(${sql.ref(`repositories.${SORT_COLUMNS[sort]}`)}, repositories.id)`;
  const comparison = direction === 'asc' ? sql`>` : sql`<`;
  return [
    ...words.map((word) => contains(SEARCHED, word)),
    ...tags.map(
      (tag) =>
        sql`exists (select 1 from repo_tags t where t.tag = ${tag} and t.type = ${type} and t.repo_id = repositories.id)`,
    ),
    ...(ownerId === undefined ? [] : [sql`repositories.owner_id = ${ownerId}`]),
    ...(gated === undefined ? [] : [gatedIs(gated)]),
    ...(pipeline === undefined ? [] : [card(sql`c.pipeline_tag = ${pipeline}`)]),
    ...(parameters ? [card(sql`${parameterCount(executor)} between ${parameters.min} and ${parameters.max}`)] : []),
    ...(after ? [sql`${position} ${comparison} (${after.value}, ${after.id})`] : []),
  ];
}

function gatedIs(gated: boolean | 'auto' | 'manual') {
  if (typeof gated === 'string') return sql`repositories.gated = ${gated}`;
  return gated ? sql`repositories.gated is not null` : sql`repositories.gated is null`;
}

/** The conditions by which the index of the sorting is walked. */
const walked = (type: string, isPrivate: boolean) => [
  sql`repositories.type = ${type}`,
  sql`repositories.private = ${sql.lit(isPrivate ? 1 : 0)}`,
];

/** The conditions by which selected repositories are looked up; an expression keeps SQLite from walking an index. */
const lookedUp = (type: string, isPrivate: boolean) => [
  sql`repositories.id = selected.id`,
  sql`repositories.type || '' = ${type}`,
  sql`repositories.private + 0 = ${sql.lit(isPrivate ? 1 : 0)}`,
];

/**
 * Returns the public repositories, or the private ones that the reader may read, as the end of a query. A cross join keeps
 * the order in which SQLite looks at the tables.
 */
function partOf(
  executor: ReadExecutor,
  reader: Reader,
  isPrivate: boolean,
  query: CatalogQuery,
  selection: Selection | undefined,
): RawBuilder<unknown> {
  const from = selection ? sql`(${selection.ids}) as selected cross join repositories` : sql`repositories`;
  const conditions = [
    ...(selection ? lookedUp(query.type, isPrivate) : walked(query.type, isPrivate)),
    sql`accounts.id = repositories.owner_id`,
    ...(isPrivate ? [sql`repositories.owner_id in (${accountsOf(reader.userId)})`] : []),
    readableBy(repoColumns, reader),
    ...conditionsOf(executor, query),
  ];
  return sql`from ${from} cross join accounts where ${allOf(conditions)}`;
}

/** Returns the public repositories, and the private ones that the reader may read, each by the plan that suits them. */
async function partsOf(executor: ReadExecutor, reader: Reader, query: CatalogQuery): Promise<RawBuilder<unknown>[]> {
  const byName = query.words.length > 0 && (await namesAreFilled(executor));
  const selection = await smallest(executor, selectionsOf(executor, query, byName));
  const own = await smallest(executor, [ownedBy(accountsOf(reader.userId), query.type)], selection);
  return [partOf(executor, reader, false, query, selection), partOf(executor, reader, true, query, own)];
}

async function pageOf(executor: ReadExecutor, part: RawBuilder<unknown>, query: CatalogQuery): Promise<Repository[]> {
  const order = sql.raw(query.direction);
  const { rows } = await sql<Repository>`
    select repositories.*, accounts.name as "ownerName", accounts.kind as "ownerKind" ${part}
    order by ${sql.ref(`repositories.${SORT_COLUMNS[query.sort]}`)} ${order}, repositories.id ${order}
    limit ${query.limit}`.execute(executor);
  return rows;
}

/** Returns a page of the public repositories, followed by one of the private ones that the reader may read. */
export async function listCatalog(executor: ReadExecutor, reader: Reader, query: CatalogQuery): Promise<Repository[]> {
  const pages: Repository[] = [];
  for (const part of await partsOf(executor, reader, query)) pages.push(...(await pageOf(executor, part, query)));
  return pages;
}

/** Returns how many repositories the reader may read and pass the filter, up to a maximum. */
export const countCatalog = async (
  executor: ReadExecutor,
  reader: Reader,
  query: CatalogQuery,
  max: number,
): Promise<number> => countAllUpTo(executor, await partsOf(executor, reader, query), max);

/** The facts that a page of a list needs from the files of repositories. */
export const cardsOf = (executor: ReadExecutor, repoIds: readonly string[]) =>
  executor
    .selectFrom('repo_cards')
    .selectAll()
    .where(whereIn(executor, 'repo_id', repoIds))
    .execute();

/** Returns the downloads of repositories since their beginning. */
export async function totalDownloads(executor: ReadExecutor, repoIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await executor
    .selectFrom('repo_downloads')
    .select(['repo_id', 'downloads'])
    .where('day', '=', 0)
    .where(whereIn(executor, 'repo_id', repoIds))
    .execute();
  return new Map(rows.map(({ repo_id, downloads }) => [repo_id, Number(downloads)]));
}
