import type { CommentData } from '../../comments/index.ts';
import type { Executor } from '../../platform/database/transaction.ts';
import { parseJson } from '../../platform/stored-form.ts';
import type { Subject } from '../inbox/subject.ts';

/** A discussion, or the comments on a paper, a post or an article. */
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

export async function findDiscussionThread(tx: Executor, id: string): Promise<Thread | undefined> {
  const row = await tx
    .selectFrom('discussions')
    .innerJoin('repositories', 'repositories.id', 'discussions.repo_id')
    .select([
      'repositories.id as repoId',
      'repositories.type',
      'repositories.owner_id',
      'repositories.resource_group_id',
      'repositories.private',
    ])
    .where('discussions.id', '=', id)
    .executeTakeFirst();
  if (!row) return undefined;
  const repo = { id: row.repoId, ownerId: row.owner_id, groupId: row.resource_group_id, private: row.private === 1 };
  return { id, subject: row.type, sourceId: row.repoId, repo, ownerIds: [] };
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
