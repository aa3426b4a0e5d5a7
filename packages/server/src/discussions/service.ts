import type { DiscussionStatus } from '@moonbase/contract/webhooks/payload';
import { mayWrite, missingRepo, type RepoRole, requireRepo, requireToken } from '../access/index.ts';
import { findAccountsById } from '../accounts/index.ts';
import {
  type CommentData,
  htmlOf,
  newCommentData,
  presentComment,
  presentEvent,
  type Text,
  type Texts,
} from '../comments/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Executor } from '../platform/database/transaction.ts';
import type { Events } from '../platform/events/events.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { conflict, forbidden, notFound } from '../platform/http/errors.ts';
import type { Ids } from '../platform/ids.ts';
import {
  changeRef,
  lockRepo,
  MAIN,
  madeCommitId,
  PULL_REQUEST,
  type RepoName,
  type Repository,
  recordRepoEvent,
  repoFacts,
  resolveRevision,
  updateRepo,
} from '../repositories/index.ts';
import { mergeFault, refFault, statusFault } from './policy.ts';
import { discussionUrls, payloadComment, payloadDiscussion, peopleIn } from './present.ts';
import { createDiscussionReading, discussionNotFound, requireDiscussions } from './reading.ts';
import {
  type Discussion,
  type DiscussionEvent,
  deleteDiscussion,
  findComment,
  insertDiscussion,
  insertEvent,
  lockDiscussion,
  updateComment,
  updateDiscussion,
} from './store.ts';

export type Discussions = ReturnType<typeof createDiscussions>;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly events: Events;
  readonly texts: Texts;
}

/** A discussion that is being changed, and by whom. */
interface Thread {
  readonly tx: Executor;
  readonly caller: Caller;
  readonly repo: Repository;
  readonly role: RepoRole;
  readonly discussion: Discussion;
}

export function createDiscussions({ database, clock, ids, events, texts }: Dependencies) {
  async function openRepo(tx: Executor, caller: Caller, name: RepoName) {
    const repo = await lockRepo(tx, name);
    if (!repo) throw await missingRepo(tx, caller.principal, name.namespace);
    const role = await requireRepo(tx, caller.principal, repoFacts(repo), 'discussion.write');
    requireDiscussions(repo);
    return { repo, role };
  }

  /** Runs a change on a discussion of a repository that the caller may read. */
  const changing = <T>(caller: Caller, name: RepoName, num: number, change: (thread: Thread) => Promise<T>) =>
    database.transaction(async (tx) => {
      const { repo, role } = await openRepo(tx, caller, name);
      const discussion = await lockDiscussion(tx, repo.id, num);
      if (!discussion) throw discussionNotFound(num);
      return change({ tx, caller, repo, role, discussion });
    });

  async function addEvent<T extends DiscussionEvent['type'], Data>(
    { tx, caller, discussion }: Pick<Thread, 'tx' | 'caller' | 'discussion'>,
    type: T,
    data: Data,
  ) {
    const event = {
      id: ids(),
      discussion_id: discussion.id,
      type,
      author_id: caller.principal.userId,
      created_at: clock.now(),
      data,
    };
    await insertEvent(tx, event);
    return event;
  }

  const newComment = (thread: Pick<Thread, 'tx' | 'caller' | 'discussion'>, text: Text) =>
    addEvent(thread, 'comment', newCommentData(text, clock.now()));

  const record = (
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

  async function addComment(thread: Thread, text: Text) {
    const comment = await newComment(thread, text);
    await record(thread, 'discussion.comment', 'create', comment);
    return comment;
  }

  async function setStatus(thread: Thread, status: DiscussionStatus, change: Partial<Discussion> = {}) {
    await updateDiscussion(thread.tx, thread.discussion.id, { ...change, status });
    const event = await addEvent(thread, 'status-change', { status });
    const changed = { ...thread, discussion: { ...thread.discussion, ...change, status } };
    await record(changed, 'discussion', 'update', undefined, event.id);
    return event;
  }

  const accountsOf = ({ tx, caller, discussion }: Thread, comment?: DiscussionEvent<CommentData>) =>
    findAccountsById(tx, [caller.principal.userId, ...peopleIn(discussion, comment ? [comment] : [])]);

  /** 404 for a comment that is not there, 403 unless it is the caller's own or the caller may change the repository. */
  async function commentToChange(thread: Thread, commentId: string) {
    const comment = await findComment(thread.tx, thread.discussion.id, commentId.toLowerCase());
    if (!comment) throw notFound('There is no such comment in this discussion');
    if (comment.author_id !== thread.caller.principal.userId) requireWriter(thread, 'change this comment');
    if (comment.data.hidden) throw conflict('A hidden comment stays as it is');
    return comment;
  }

  const shown = async (thread: Thread, comment: DiscussionEvent<CommentData>) =>
    presentComment(thread.caller.baseUrl, comment, await htmlOf(texts, comment), await accountsOf(thread, comment));

  async function storeComment(thread: Thread, comment: DiscussionEvent<CommentData>, data: CommentData) {
    await updateComment(thread.tx, comment.id, data);
    const updated = { ...comment, data };
    await record(thread, 'discussion.comment', 'update', updated);
    return { updatedComment: await shown(thread, updated) };
  }

  const write = ({ principal }: Caller, raw: string) => texts.write(raw, principal.userId);

  return {
    ...createDiscussionReading({ database, texts }),

    /** Opens a discussion with its first comment, or a pull request as draft with the ref `refs/pr/N`. */
    async create(caller: Caller, name: RepoName, given: { title: string; description: string; pullRequest: boolean }) {
      const text = await write(caller, given.description);
      return database.transaction(async (tx) => {
        const { repo } = await openRepo(tx, caller, name);
        const num = repo.discussion_count + 1;
        await updateRepo(tx, repo.id, { discussion_count: num });
        const discussion = await insertDiscussion(tx, {
          id: ids(),
          repo_id: repo.id,
          num,
          title: given.title,
          status: given.pullRequest ? 'draft' : 'open',
          is_pull_request: given.pullRequest ? 1 : 0,
          author_id: caller.principal.userId,
          created_at: clock.now(),
          merge_commit_id: null,
        });
        const thread = { tx, caller, repo, discussion };
        await record(thread, 'discussion', 'create', await newComment(thread, text));
        if (given.pullRequest) await changeRef({ events, clock }, tx, caller, repo, PULL_REQUEST + num, repo.head_sha);
        return {
          url: discussionUrls(caller.baseUrl, repo, num).web,
          num,
          pullRequest: given.pullRequest,
          ...(given.pullRequest && { references: { base: MAIN } }),
        };
      });
    },

    async comment(caller: Caller, name: RepoName, num: number, raw: string) {
      const text = await write(caller, raw);
      return changing(caller, name, num, async (thread) => ({
        newMessage: await shown(thread, await addComment(thread, text)),
      }));
    },

    async editComment(caller: Caller, name: RepoName, num: number, commentId: string, raw: string) {
      const text = await write(caller, raw);
      return changing(caller, name, num, async (thread) => {
        const comment = await commentToChange(thread, commentId);
        const me = caller.principal.userId;
        const editors = [...comment.data.editors.filter((id) => id !== me), me];
        const edits = comment.data.edits + 1;
        return storeComment(thread, comment, { ...comment.data, ...text, updatedAt: clock.now(), editors, edits });
      });
    },

    hideComment: (caller: Caller, name: RepoName, num: number, commentId: string) =>
      changing(caller, name, num, async (thread) => {
        const comment = await commentToChange(thread, commentId);
        return storeComment(thread, comment, { ...comment.data, hidden: true, hiddenBy: caller.principal.userId });
      }),

    async changeStatus(
      caller: Caller,
      name: RepoName,
      num: number,
      given: { status: 'open' | 'closed'; comment?: string | undefined },
    ) {
      const text = given.comment ? await write(caller, given.comment) : undefined;
      return changing(caller, name, num, async (thread) => {
        requireOpenerOrWriter(thread, 'change the status');
        refuse(statusFault(stateOf(thread.discussion), given.status));
        if (text) await addComment(thread, text);
        const event = await setStatus(thread, given.status);
        return { newStatus: presentEvent(caller.baseUrl, event, await accountsOf(thread)) };
      });
    },

    rename: (caller: Caller, name: RepoName, num: number, title: string) =>
      changing(caller, name, num, async (thread) => {
        requireOpenerOrWriter(thread, 'change the title');
        await updateDiscussion(thread.tx, thread.discussion.id, { title });
        const event = await addEvent(thread, 'title-change', { from: thread.discussion.title, to: title });
        if (title !== thread.discussion.title)
          await record({ ...thread, discussion: { ...thread.discussion, title } }, 'discussion', 'update');
        return { newTitle: presentEvent(caller.baseUrl, event, await accountsOf(thread)) };
      }),

    /** Puts a discussion before the others of its repository, or takes it back; nothing happens where it is so already. */
    pin: (caller: Caller, name: RepoName, num: number, pinned: boolean) =>
      changing(caller, name, num, async (thread) => {
        requireWriter(thread, 'pin a discussion');
        const change = { pinned: pinned ? 1 : 0 };
        if (thread.discussion.pinned === change.pinned) return;
        await updateDiscussion(thread.tx, thread.discussion.id, change);
        await addEvent(thread, 'pinning-change', { pinned });
        await record({ ...thread, discussion: { ...thread.discussion, ...change } }, 'discussion', 'update');
      }),

    /** Merges an open pull request: a commit on `main`, then the status. */
    async merge(caller: Caller, name: RepoName, num: number, comment: string | undefined) {
      const text = comment ? await write(caller, comment) : undefined;
      return changing(caller, name, num, async (thread) => {
        requireWriter(thread, 'merge');
        const { tx, repo, discussion } = thread;
        refuse(mergeFault(stateOf(discussion)));
        if (text) await addComment(thread, text);
        const mergeCommitId = madeCommitId(ids());
        await changeRef({ events, clock }, tx, caller, repo, MAIN, mergeCommitId);
        await setStatus({ ...thread, repo: { ...repo, head_sha: mergeCommitId } }, 'merged', {
          merge_commit_id: mergeCommitId,
        });
      });
    },

    /** Deletes `refs/pr/N` of a pull request that is closed or merged, and keeps where it was. */
    deleteRef: (caller: Caller, name: RepoName, num: number) =>
      changing(caller, name, num, async (thread) => {
        requireWriter(thread, 'delete the ref of a pull request');
        const { tx, repo, discussion } = thread;
        refuse(refFault(stateOf(discussion)));
        const ref = PULL_REQUEST + num;
        await updateDiscussion(tx, discussion.id, { head_sha: await resolveRevision(tx, repo, ref) });
        await changeRef({ events, clock }, tx, caller, repo, ref, null);
        await addEvent(thread, 'ref-deleted', {});
      }),

    delete: (caller: Caller, name: RepoName, num: number) =>
      changing(caller, name, num, async (thread) => {
        requireWriter(thread, 'delete a discussion');
        await deleteDiscussion(thread.tx, thread.discussion.id);
        await record(thread, 'discussion', 'delete');
      }),
  };
}

/** What the rules look at. */
const stateOf = ({ is_pull_request, status, head_sha }: Discussion) => ({
  isPullRequest: is_pull_request === 1,
  status,
  refDeleted: head_sha !== null,
});

function requireWriter({ role, repo, caller }: Thread, what: string): void {
  if (!mayWrite(role, repoFacts(repo), caller.principal.userId))
    throw forbidden(`You need write access to this repository to ${what}`);
  requireToken(caller.principal, 'repo.write', repoFacts(repo));
}

function requireOpenerOrWriter(thread: Thread, what: string): void {
  if (thread.discussion.author_id !== thread.caller.principal.userId) requireWriter(thread, what);
}

function refuse(fault: string | undefined): void {
  if (fault) throw conflict(fault);
}
