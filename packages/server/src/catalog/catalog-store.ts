import type { RepoType } from '@moonbase/contract/primitives';
import { type RawBuilder, sql } from 'kysely';
import type { Reader } from '../access/index.ts';
import { contains } from '../platform/database/contains.ts';
import { isPostgres, type ReadExecutor } from '../platform/database/transaction.ts';
import { whereIn } from '../platform/database/where-in.ts';
import {
  countRows,
  type FirstRows,
  firstRows,
  type ListFilter,
  listByVisibility,
  mayHaveTags,
  namesAreFilled,
  type Position,
  REPOSITORY_COLUMNS,
  type Repository,
  type SortedList,
  WITH_OWNER,
} from '../repositories/index.ts';
import type { CatalogFilter } from './filter.ts';
import { havingWord } from './name-store.ts';

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

const SEARCHED = sql`replace(replace(accounts.name_key || '/' || repositories.name_key, '_', '-'), '.', '-')`;

/** An expression keeps SQLite from walking the index of an owner's repositories for each one that is looked up. */
const OWNER = sql`repositories.owner_id || ''`;

const parameterCount = (executor: ReadExecutor) =>
  isPostgres(executor)
    ? sql`cast(c.details::jsonb #>> '{safetensors,total}' as numeric)`
    : sql`c.details ->> '$.safetensors.total'`;

/** The offset makes PostgreSQL look for each row that is walked, rather than join all that have a tag first. */
const isThere = (rows: RawBuilder<unknown>) => sql`exists (${rows} limit 1 offset 0)`;

function filtersOf(executor: ReadExecutor, query: CatalogQuery, byName: boolean): ListFilter[] {
  const { type, words, tags, gated, pipeline, parameters, ownerId } = query;
  const card = (condition: RawBuilder<unknown>) =>
    isThere(sql`select 1 from repo_cards c where c.repo_id = repositories.id and ${condition}`);
  const owned = ownerId !== undefined && {
    condition: sql`${OWNER} = ${ownerId}`,
    ids: sql`select o.id from repositories o where o.type = ${type} and o.owner_id = ${ownerId}`,
  };
  const hasTag = (tag: string) =>
    isThere(sql`select 1 from repo_tags t where t.tag = ${tag} and t.type = ${type} and t.repo_id = repositories.id`);
  return [
    ...(owned ? [owned] : []),
    ...(gated === undefined ? [] : [{ condition: gatedIs(gated) }]),
    ...(tags.length > 0 ? [{ condition: mayHaveTags(tags) }] : []),
    ...words.map((word) => ({
      condition: contains(SEARCHED, word),
      needsBeside: true,
      ids: byName ? havingWord(executor, type, word) : undefined,
    })),
    ...tags.map((tag) => ({
      condition: sql`(${mayHaveTags([tag])} and ${hasTag(tag)})`,
      ids: sql`select t.repo_id as id from repo_tags t where t.tag = ${tag} and t.type = ${type}`,
    })),
    ...(pipeline === undefined ? [] : [{ condition: card(sql`c.pipeline_tag = ${pipeline}`) }]),
    ...(parameters
      ? [{ condition: card(sql`${parameterCount(executor)} between ${parameters.min} and ${parameters.max}`) }]
      : []),
  ];
}

function gatedIs(gated: boolean | 'auto' | 'manual') {
  if (typeof gated === 'string') return sql`repositories.gated = ${gated}`;
  return gated ? sql`repositories.gated is not null` : sql`repositories.gated is null`;
}

/** Returns the list of the repositories that a reader may read and that pass the filters. */
export async function listFor(executor: ReadExecutor, reader: Reader, query: CatalogQuery): Promise<SortedList> {
  const { type, sort, direction, after, limit } = query;
  const byName = query.words.length > 0 && (await namesAreFilled(executor));
  return {
    ...listByVisibility('repositories', 'repository', reader, type),
    ...{ beside: WITH_OWNER, column: SORT_COLUMNS[sort], direction, after, limit },
    filters: filtersOf(executor, query, byName),
  };
}

export const positionIn =
  ({ sort }: Pick<CatalogQuery, 'sort'>) =>
  (repo: Repository): Position => ({ value: Number(repo[SORT_COLUMNS[sort]]), id: repo.id });

/** Returns the first of the public repositories and of the private ones that the reader may read, in order. */
export const listCatalog = async (
  executor: ReadExecutor,
  reader: Reader,
  query: CatalogQuery,
): Promise<FirstRows<Repository>> =>
  firstRows(executor, await listFor(executor, reader, query), REPOSITORY_COLUMNS, positionIn(query));

/** Returns how many repositories the reader may read and pass the filter, among those that a page looks at, up to a maximum. */
export const countCatalog = async (
  executor: ReadExecutor,
  reader: Reader,
  query: CatalogQuery,
  max: number,
): Promise<number> => countRows(executor, await listFor(executor, reader, query), max);

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
