import { presentEvent, type Texts } from '../comments/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/transaction.ts';
import type { Events } from '../platform/events/events.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import type { Ids } from '../platform/ids.ts';
import { changeRef, MAIN, PULL_REQUEST, type RepoName, updateRepo } from '../repositories/index.ts';
import { createCommenting } from './commenting.ts';
import { statusFault } from './policy.ts';
import { discussionUrls } from './present.ts';
import { createPullRequests } from './pull-requests.ts';
import { createDiscussionReading } from './reading.ts';
import { deleteDiscussion, insertDiscussion, updateDiscussion } from './store.ts';
import { accountsOf, createThreads, refuse, requireOpenerOrWriter, requireWriter, stateOf } from './thread.ts';

export type Discussions = ReturnType<typeof createDiscussions>;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly events: Events;
  readonly texts: Texts;
}

export function createDiscussions({ database, clock, ids, events, texts }: Dependencies) {
  const threads = createThreads({ database, clock, ids, events });

  return {
    ...createDiscussionReading({ database, texts }),
    ...createCommenting({ threads, clock, texts }),
    ...createPullRequests({ threads, clock, ids, events, texts }),

    /** Opens a discussion with its first comment, or a pull request as draft with the ref `refs/pr/N`. */
    async create(caller: Caller, name: RepoName, given: { title: string; description: string; pullRequest: boolean }) {
      const text = await texts.write(given.description, caller.principal.userId);
      return database.transaction(async (tx) => {
        const { repo } = await threads.openRepo(tx, caller, name);
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
        await threads.recordChange(thread, 'discussion', 'create', await threads.newComment(thread, text));
        if (given.pullRequest) await changeRef({ events, clock }, tx, caller, repo, PULL_REQUEST + num, repo.head_sha);
        return {
          url: discussionUrls(caller.baseUrl, repo, num).web,
          num,
          pullRequest: given.pullRequest,
          ...(given.pullRequest && { references: { base: MAIN } }),
        };
      });
    },

    async changeStatus(
      caller: Caller,
      name: RepoName,
      num: number,
      given: { status: 'open' | 'closed'; comment?: string | undefined },
    ) {
      const text = given.comment ? await texts.write(given.comment, caller.principal.userId) : undefined;
      return threads.change(caller, name, num, async (thread) => {
        requireOpenerOrWriter(thread, 'change the status');
        refuse(statusFault(stateOf(thread.discussion), given.status));
        if (text) await threads.addComment(thread, text);
        const event = await threads.setStatus(thread, given.status);
        return { newStatus: presentEvent(caller.baseUrl, event, await accountsOf(thread)) };
      });
    },

    rename: (caller: Caller, name: RepoName, num: number, title: string) =>
      threads.change(caller, name, num, async (thread) => {
        requireOpenerOrWriter(thread, 'change the title');
        await updateDiscussion(thread.tx, thread.discussion.id, { title });
        const event = await threads.addEvent(thread, 'title-change', { from: thread.discussion.title, to: title });
        if (title !== thread.discussion.title)
          await threads.recordChange(
            { ...thread, discussion: { ...thread.discussion, title } },
            'discussion',
            'update',
          );
        return { newTitle: presentEvent(caller.baseUrl, event, await accountsOf(thread)) };
      }),

    /** Puts a discussion before the others of its repository, or takes it back; nothing happens where it is so already. */
    pin: (caller: Caller, name: RepoName, num: number, pinned: boolean) =>
      threads.change(caller, name, num, async (thread) => {
        requireWriter(thread, 'pin a discussion');
        const change = { pinned: pinned ? 1 : 0 };
        if (thread.discussion.pinned === change.pinned) return;
        await updateDiscussion(thread.tx, thread.discussion.id, change);
        await threads.addEvent(thread, 'pinning-change', { pinned });
        await threads.recordChange(
          { ...thread, discussion: { ...thread.discussion, ...change } },
          'discussion',
          'update',
        );
      }),

    delete: (caller: Caller, name: RepoName, num: number) =>
      threads.change(caller, name, num, async (thread) => {
        requireWriter(thread, 'delete a discussion');
        await deleteDiscussion(thread.tx, thread.discussion.id);
        await threads.recordChange(thread, 'discussion', 'delete');
      }),
  };
}
