import type { listNotifications } from '@moonbase/contract/notifications/notifications';
import { plainArxivId } from '@moonbase/contract/papers/arxiv';
import type { RepoType } from '@moonbase/contract/primitives';
import type { RouteInput } from '@moonbase/contract/route';
import { sql } from 'kysely';
import { nameKey } from '../../accounts/index.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { MENTIONED, type Subject, TAKES_PART, WATCHES } from './subject.ts';

/** The query of the endpoints, as it was parsed. */
export type NotificationQuery = Omit<RouteInput<typeof listNotifications>['query'], 'p'>;

/** The same with ids for names. What is undefined does not limit; an empty list matches nothing. */
export interface Filter {
  readonly unread: boolean;
  readonly involvement: number;
  readonly until?: number | undefined;
  readonly subject?: Subject | undefined;
  readonly sourceIds?: readonly string[] | undefined;
  readonly threadIds?: readonly string[] | undefined;
}

const INVOLVEMENT = { all: WATCHES, participating: TAKES_PART, mentions: MENTIONED } as const;

/** Looks the names of a query up. */
export async function filterOf(executor: ReadExecutor, query: NotificationQuery): Promise<Filter> {
  const { repoType, repoName, postAuthor, paperId, articleId } = query;
  const repoIds = repoName === undefined ? undefined : await reposNamed(executor, repoName, repoType);
  const authorIds = postAuthor === undefined ? undefined : await usersNamed(executor, postAuthor);
  const paperIds = paperId === undefined ? undefined : await papersCalled(executor, paperId);
  const articleIds = articleId === undefined ? undefined : await articlesCalled(executor, articleId);
  const subjects = [repoType, postAuthor === undefined ? undefined : ('post' as const)].filter(
    (subject) => subject !== undefined,
  );
  return {
    unread: query.readStatus === 'unread',
    involvement: INVOLVEMENT[query.mention],
    until: query.lastUpdate,
    subject: subjects[0],
    sourceIds: subjects.length > 1 ? [] : both(repoIds, authorIds),
    threadIds: both(paperIds, articleIds),
  };
}

/** What is in each list that is there. */
function both(one: readonly string[] | undefined, other: readonly string[] | undefined) {
  return one && other ? one.filter((id) => other.includes(id)) : (one ?? other);
}

async function reposNamed(executor: ReadExecutor, name: string, type: RepoType | undefined): Promise<string[]> {
  const [owner = '', repo = '', ...more] = name.split('/');
  if (more.length > 0) return [];
  let query = executor
    .selectFrom('repositories')
    .innerJoin('accounts', 'accounts.id', 'repositories.owner_id')
    .select('repositories.id')
    .where('accounts.name_key', '=', nameKey(owner))
    .where('repositories.name_key', '=', nameKey(repo));
  if (type) query = query.where('repositories.type', '=', type);
  return idsIn(await query.execute());
}

const usersNamed = async (executor: ReadExecutor, name: string) =>
  idsIn(await executor.selectFrom('accounts').select('id').where('name_key', '=', nameKey(name)).execute());

const papersCalled = async (executor: ReadExecutor, called: string) =>
  idsIn(
    await executor
      .selectFrom('papers')
      .select('id')
      .where(sql<boolean>`(id = ${called} or arxiv_id = ${plainArxivId(called)})`)
      .execute(),
  );

/** A slug is of one author: several may use the same. */
const articlesCalled = async (executor: ReadExecutor, called: string) =>
  idsIn(
    await executor
      .selectFrom('posts')
      .select('id')
      .where('kind', '=', 'article')
      .where(sql<boolean>`(id = ${called} or slug = ${called})`)
      .limit(1000)
      .execute(),
  );

const idsIn = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);
