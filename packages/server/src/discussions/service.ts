import { findAccountsById } from '../accounts/index.ts';
import { presentEvent, type Texts } from '../comments/index.ts';
import type { DiffOfProposal, FindConflicts, LargeFiles, MakeMerge, StorageOfRef } from '../content/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/transaction.ts';
import type { Events } from '../platform/events/events.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import type { Ids } from '../platform/ids.ts';
import type { KeyedMutex } from '../platform/mutex.ts';
import { PULL_REQUEST, type RepoName } from '../repositories/index.ts';
import { createCommenting } from './commenting.ts';
import { createPullRequestCommits } from './committing.ts';
import { createDailyQuota } from './daily-quota.ts';
import { createOpening } from './opening.ts';
import { statusFault } from './policy.ts';
import { createPullRequests } from './pull-requests.ts';
import { createDiscussionReading } from './reading.ts';
import { deleteDiscussion, findLastStatusChange, updateDiscussion } from './store.ts';
import {
  accountsOf,
  createThreads,
  requireOpenerOrWriter,
  requireWriter,
  stateOf,
  type Thread,
  throwIfFault,
} from './thread.ts';

export type Discussions = ReturnType<typeof createDiscussions>;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly events: Events;
  readonly texts: Texts;
  /** The discussions and pull requests that a user may open in any 24 hours; undefined means no limit. */
  readonly settings: { readonly discussionDailyLimit: number | undefined };
  readonly largeFiles: Pick<LargeFiles, 'adoptAllFrom' | 'adoptFrom' | 'forgetPlacesAt'>;
  readonly contents: {
    readonly merge: MakeMerge;
    readonly findConflicts: FindConflicts;
    readonly diffOfProposal: DiffOfProposal;
    readonly storageOfRef: StorageOfRef;
    readonly runExclusive: KeyedMutex;
    readonly onRefsChanged: (repoId: string) => void;
  };
}

export function createDiscussions(dependencies: Dependencies) {
  const { database, clock, ids, events, texts, contents, largeFiles, settings } = dependencies;
  const refPorts = { clock, events, onRefsChanged: contents.onRefsChanged };
  const threads = createThreads({ database, clock, ids, events });
  const requireDailyRoom = createDailyQuota({ clock, byDefault: settings.discussionDailyLimit });

  return {
    ...createDiscussionReading({ database, texts, contents }),
    ...createCommenting({ threads, clock, texts }),
    ...createOpening({ database, clock, ids, texts, threads, refPorts, requireDailyRoom }),
    ...createPullRequests({
      ...{ threads, refPorts, texts, largeFiles },
      ...{ makeMerge: contents.merge, runExclusive: contents.runExclusive },
    }),
    ...createPullRequestCommits({ database, threads, refPorts }),

    async changeStatus(
      caller: Caller,
      name: RepoName,
      num: number,
      input: { status: 'open' | 'closed'; comment?: string | undefined },
    ) {
      const text = input.comment ? await texts.write(input.comment, caller.principal.userId) : undefined;
      return threads.change(caller, name, num, async (thread) => {
        requireOpenerOrWriter(thread, 'change the status');
        const opened = input.status === 'open' ? await openingOf(thread) : undefined;
        if (!opened) throwIfFault(statusFault(stateOf(thread.discussion), input.status));
        if (text) await threads.addComment(thread, text);
        const event = opened ?? (await threads.setStatus(thread, input.status));
        const authors = await findAccountsById(thread.tx, event.author_id === null ? [] : [event.author_id]);
        return { newStatus: presentEvent(caller.baseUrl, event, authors) };
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

    /**
     * Pins a discussion above the others of its repository, or unpins it; records nothing if the state stays the same.
     */
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
        await largeFiles.adoptAllFrom(thread.tx, thread.repo.id, PULL_REQUEST + num);
        await deleteDiscussion(thread.tx, thread.discussion.id);
        await threads.recordChange(thread, 'discussion', 'delete');
      }),
  };
}

/**
 * Returns the event that opened an open pull request. Clients open a draft after their first commit, which has opened it
 * already.
 */
async function openingOf({ tx, discussion }: Thread) {
  const isOpenPullRequest = discussion.is_pull_request === 1 && discussion.status === 'open';
  return isOpenPullRequest ? findLastStatusChange(tx, discussion.id) : undefined;
}
