import type { DiscussionStatus } from '@moonbase/contract/webhooks/payload';
import { mayWrite, missingRepo, type RepoRole, requireRepo, requireToken } from '../access/index.ts';
import { findAccountsById } from '../accounts/index.ts';
import { type CommentData, newCommentData, type ParsedText, requireThreadRoom } from '../comments/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Executor } from '../platform/database/transaction.ts';
import type { Events } from '../platform/events/events.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { conflict, forbidden } from '../platform/http/errors.ts';
import type { Ids } from '../platform/ids.ts';
import { lockRepo, type RepoName, type Repository, recordRepoEvent, repoFacts } from '../repositories/index.ts';
import { payloadComment, payloadDiscussion, peopleIn } from './present.ts';
import { discussionNotFound, requireDiscussions } from './reading.ts';
import { type Discussion, type DiscussionEvent, insertEvent, lockDiscussion, updateDiscussion } from './store.ts';

/** A locked discussion with its transaction and the caller who changes it. */
export interface Thread {
  readonly tx: Executor;
  readonly caller: Caller;
  readonly repo: Repository;
  readonly role: RepoRole;
  readonly discussion: Discussion;
}

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly events: Events;
}

export type Threads = ReturnType<typeof createThreads>;

/** Locks discussions for changes, adds to their history and records events about them. */
export function createThreads({ database, clock, ids, events }: Dependencies) {
  /** Returns the locked repository and the role of a caller who may write in its discussions. Throws otherwise. */
  async function lockRepoForDiscussions(tx: Executor, caller: Caller, name: RepoName) {
    const repo = await lockRepo(tx, name);
    if (!repo) throw await missingRepo(tx, caller.principal, name.namespace);
    const role = await requireRepo(tx, caller.principal, repoFacts(repo), 'discussion.write');
    requireDiscussions(repo);
    return { repo, role };
  }

  /** Locks a discussion of a repository that the caller may read. Throws 404 if there is none. */
  async function lock(tx: Executor, caller: Caller, name: RepoName, num: number): Promise<Thread> {
    const { repo, role } = await lockRepoForDiscussions(tx, caller, name);
    const discussion = await lockDiscussion(tx, repo.id, num);
    if (!discussion) throw discussionNotFound(num);
    return { tx, caller, repo, role, discussion };
  }

  /** Runs a change on a locked discussion of a repository that the caller may read. */
  const change = <T>(caller: Caller, name: RepoName, num: number, work: (thread: Thread) => Promise<T>) =>
    database.transaction(async (tx) => work(await lock(tx, caller, name, num)));

  /**
   * Adds an event. Throws 409 if the thread is full: then it takes no more comments, but those who may write to the repository
   * can still merge, close, pin and rename.
   */
  async function addEvent<T extends DiscussionEvent['type'], Data>(thread: Thread, type: T, data: Data) {
    const { tx, caller, discussion } = thread;
    const event = {
      id: ids(),
      discussion_id: discussion.id,
      type,
      author_id: caller.principal.userId,
      created_at: clock.now(),
      data,
    };
    const bytes = await insertEvent(tx, event);
    if (type === 'comment' || !isWriter(thread)) requireThreadRoom(bytes);
    return event;
  }

  const newComment = (thread: Thread, text: ParsedText) =>
    addEvent(thread, 'comment', newCommentData(text, clock.now()));

  const recordChange = (
    { tx, caller, repo, discussion }: Omit<Thread, 'role'>,
    scope: 'discussion' | 'discussion.comment',
    action: 'create' | 'update' | 'delete',
    comment?: DiscussionEvent<CommentData>,
    statusEventId?: string,
  ) =>
    recordRepoEvent(events, tx, caller, repo, {
      scope,
      action,
      statusEventId,
      extra: {
        discussion: payloadDiscussion(caller.hubUrl, repo, discussion),
        ...(comment && { comment: payloadComment(caller.hubUrl, repo, discussion.num, comment) }),
      },
    });

  async function addComment(thread: Thread, text: ParsedText) {
    const comment = await newComment(thread, text);
    await recordChange(thread, 'discussion.comment', 'create', comment);
    return comment;
  }

  async function setStatus(thread: Thread, status: DiscussionStatus, columns: Partial<Discussion> = {}) {
    await updateDiscussion(thread.tx, thread.discussion.id, { ...columns, status });
    const event = await addEvent(thread, 'status-change', { status });
    const changed = { ...thread, discussion: { ...thread.discussion, ...columns, status } };
    await recordChange(changed, 'discussion', 'update', undefined, event.id);
    return event;
  }

  return { lockRepoForDiscussions, lock, change, addEvent, newComment, addComment, setStatus, recordChange };
}

/**
 * Returns the accounts that a presented change names: the caller, the discussion's author and the people in the
 * comment.
 */
export const accountsOf = ({ tx, caller, discussion }: Thread, comment?: DiscussionEvent<CommentData>) =>
  findAccountsById(tx, [caller.principal.userId, ...peopleIn(discussion, comment ? [comment] : [])]);

/** The parts of a thread that the rules need. */
type ThreadContext = Pick<Thread, 'caller' | 'repo' | 'role' | 'discussion'>;

const isWriter = ({ role, repo, caller }: ThreadContext): boolean =>
  mayWrite(role, repoFacts(repo), caller.principal.userId);

export function requireWriter(thread: ThreadContext, what: string): void {
  const { repo, caller } = thread;
  if (!isWriter(thread)) throw forbidden(`You need write access to this repository to ${what}`);
  requireToken(caller.principal, 'repo.write', repoFacts(repo));
}

export function requireOpenerOrWriter(thread: ThreadContext, what: string): void {
  if (thread.discussion.author_id !== thread.caller.principal.userId) requireWriter(thread, what);
}

/** Returns the state of a discussion that the rules in `policy.ts` take. */
export const stateOf = ({ is_pull_request, status, head_sha }: Discussion) => ({
  isPullRequest: is_pull_request === 1,
  status,
  refDeleted: head_sha !== null,
});

/** Throws 409 with the given fault, if there is one. */
export function throwIfFault(fault: string | undefined): void {
  if (fault) throw conflict(fault);
}
