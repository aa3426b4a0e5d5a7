import type { RepoType } from '@moonbase/contract/primitives';
import type { CommentData } from '../../comments/index.ts';
import type { Executor } from '../../platform/database/transaction.ts';
import { parseJson } from '../../platform/stored-form.ts';
import type { Subject } from '../inbox/subject.ts';

/** A discussion, the comments on a paper, a post or an article, or the requests for access to a repository. */
export interface Thread {
  readonly id: string;
  readonly subject: Subject;
  /** The repository, the paper, or the author of a post or article. */
  readonly sourceId: string;
  /** The repository of a discussion, which decides who may read the discussion. */
  readonly repo?: {
    readonly id: string;
    readonly ownerId: string;
    readonly groupId: string | null;
    readonly private: boolean;
  };
  /** The authors of the paper, post or article that have an account; empty for a discussion. */
  readonly ownerIds: readonly string[];
}

/** The columns of a repository that a thread in it has. */
const REPO = [
  'repositories.id as repoId',
  'repositories.type',
  'repositories.owner_id',
  'repositories.resource_group_id',
  'repositories.private',
] as const;

interface RepoOfThread {
  readonly repoId: string;
  readonly type: RepoType;
  readonly owner_id: string;
  readonly resource_group_id: string | null;
  readonly private: number;
}

function threadIn(row: RepoOfThread, id: string): Thread {
  const repo = { id: row.repoId, ownerId: row.owner_id, groupId: row.resource_group_id, private: row.private === 1 };
  return { id, subject: row.type, sourceId: row.repoId, repo, ownerIds: [] };
}

export async function findDiscussionThread(tx: Executor, id: string): Promise<Thread | undefined> {
  const row = await tx
    .selectFrom('discussions')
    .innerJoin('repositories', 'repositories.id', 'discussions.repo_id')
    .select(REPO)
    .where('discussions.id', '=', id)
    .executeTakeFirst();
  return row && threadIn(row, id);
}

/** Returns the thread of the requests for a gated repository; undefined where this request does not wait any more. */
export async function findRequestThread(tx: Executor, requestId: string): Promise<Thread | undefined> {
  const row = await tx
    .selectFrom('access_requests')
    .innerJoin('repositories', 'repositories.id', 'access_requests.repo_id')
    .select(REPO)
    .where('access_requests.id', '=', requestId)
    .where('access_requests.status', '=', 'pending')
    .where('repositories.gated', 'is not', null)
    .executeTakeFirst();
  return row && threadIn(row, row.repoId);
}

export async function findPaperThread(tx: Executor, id: string): Promise<Thread | undefined> {
  const rows = await tx
    .selectFrom('papers')
    .leftJoin('paper_authors', 'paper_authors.paper_id', 'papers.id')
    .select('paper_authors.user_id')
    .where('papers.id', '=', id)
    .execute();
  if (rows.length === 0) return undefined;
  const ownerIds = new Set(rows.flatMap(({ user_id }) => user_id ?? []));
  return { id, subject: 'paper', sourceId: id, ownerIds: [...ownerIds] };
}

export async function findPostThread(tx: Executor, id: string): Promise<Thread | undefined> {
  const row = await tx.selectFrom('posts').select(['kind', 'author_id']).where('id', '=', id).executeTakeFirst();
  if (!row) return undefined;
  const subject = row.kind === 'post' ? 'post' : 'community_blog';
  return { id, subject, sourceId: row.author_id, ownerIds: [row.author_id] };
}

/** Returns what is stored of a comment, undefined where the comment was deleted. */
export async function findComment(
  tx: Executor,
  table: 'comments' | 'discussion_events',
  id: string,
): Promise<CommentData | undefined> {
  const row = await tx.selectFrom(table).select('data').where('id', '=', id).executeTakeFirst();
  return row && parseJson<CommentData>(row.data);
}
