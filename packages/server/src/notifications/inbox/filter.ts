import type { listNotifications } from '@moonbase/contract/notifications/notifications';
import { plainArxivId } from '@moonbase/contract/papers/arxiv';
import type { RepoType } from '@moonbase/contract/primitives';
import type { RouteInput } from '@moonbase/contract/route';
import { nameKey } from '../../accounts/index.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { findAccountIds, findArticleIds, findPaperIds, findRepoIds } from './source-store.ts';
import { MENTIONED, type Subject, TAKES_PART, WATCHES } from './subject.ts';

/** The parsed query of the endpoints. */
export type NotificationQuery = Omit<RouteInput<typeof listNotifications>['query'], 'p' | 'reasons'>;

/** A query with ids in place of names. An undefined list does not limit; an empty list matches nothing. */
export interface Filter {
  readonly unread: boolean;
  readonly involvement: number;
  readonly until?: number | undefined;
  readonly subject?: Subject | undefined;
  readonly sourceIds?: readonly string[] | undefined;
  readonly threadIds?: readonly string[] | undefined;
}

const INVOLVEMENT = { all: WATCHES, participating: TAKES_PART, mentions: MENTIONED } as const;

/** Returns the filter of a query, whose names are looked up. */
export async function filterOf(executor: ReadExecutor, query: NotificationQuery): Promise<Filter> {
  const { repoType, repoName, postAuthor, paperId, articleId } = query;
  const repoIds = repoName === undefined ? undefined : await reposNamed(executor, repoName, repoType);
  const authorIds = postAuthor === undefined ? undefined : await findAccountIds(executor, nameKey(postAuthor));
  const paperIds = paperId === undefined ? undefined : await findPaperIds(executor, paperId, plainArxivId(paperId));
  const articleIds = articleId === undefined ? undefined : await findArticleIds(executor, articleId);
  const subjects = [repoType, postAuthor === undefined ? undefined : ('post' as const)].filter(
    (subject) => subject !== undefined,
  );
  return {
    unread: query.readStatus === 'unread',
    involvement: INVOLVEMENT[query.mention],
    until: query.lastUpdate,
    subject: subjects[0],
    sourceIds: subjects.length > 1 ? [] : intersection(repoIds, authorIds),
    threadIds: intersection(paperIds, articleIds),
  };
}

/** Returns what is in both lists; an undefined list limits nothing. */
function intersection(one: readonly string[] | undefined, other: readonly string[] | undefined) {
  return one && other ? one.filter((id) => other.includes(id)) : (one ?? other);
}

async function reposNamed(executor: ReadExecutor, name: string, type: RepoType | undefined): Promise<string[]> {
  const [owner = '', repo = '', ...more] = name.split('/');
  if (more.length > 0) return [];
  return findRepoIds(executor, { ownerKey: nameKey(owner), nameKey: nameKey(repo), type });
}
