import type { ParsedText, Texts } from '../comments/index.ts';
import type { PullRequests } from '../content/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import type { Ids } from '../platform/ids.ts';
import { changeRef, MAIN, PULL_REQUEST, type RefPorts, type RepoName, updateRepo } from '../repositories/index.ts';
import type { RequireDailyRoom } from './daily-quota.ts';
import { discussionUrls } from './present.ts';
import { insertDiscussion } from './store.ts';
import type { Thread, Threads } from './thread.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly texts: Texts;
  readonly threads: Threads;
  readonly refPorts: RefPorts;
  readonly requireDailyRoom: RequireDailyRoom;
}

/** The details of a new pull request. */
interface PullRequestDetails {
  /** The full ref of the branch to merge into. */
  readonly base: string;
  /** The commit that the pull request's ref points to. */
  readonly head: string | null;
  readonly status: 'draft' | 'open';
}

/** The verbs that open discussions and pull requests. */
export function createOpening({ database, clock, ids, texts, threads, refPorts, requireDailyRoom }: Dependencies) {
  async function insert(
    { tx, caller, repo, role }: Omit<Thread, 'discussion'>,
    { title, text, proposed }: { title: string; text: ParsedText; proposed: PullRequestDetails | undefined },
  ) {
    await requireDailyRoom(tx, caller.principal.userId);
    const num = repo.discussion_count + 1;
    await updateRepo(tx, repo.id, { discussion_count: num });
    const discussion = await insertDiscussion(tx, {
      id: ids(),
      repo_id: repo.id,
      num,
      title,
      status: proposed?.status ?? 'open',
      is_pull_request: proposed ? 1 : 0,
      author_id: caller.principal.userId,
      created_at: clock.now(),
      merge_commit_id: null,
      base_ref: proposed?.base ?? MAIN,
    });
    const thread = { tx, caller, repo, role, discussion };
    await threads.recordChange(thread, 'discussion', 'create', await threads.newComment(thread, text));
    if (proposed) await changeRef(refPorts, tx, caller, repo, PULL_REQUEST + num, proposed.head);
    return thread;
  }

  /** Opens a pull request, as a draft if its first commit is still missing. */
  const open: PullRequests['open'] = async (caller, name, { title, description, base, head, subject, onRefMoved }) => {
    const text = await texts.write(description, caller.principal.userId);
    return database.transaction(async (tx) => {
      const { repo, role } = await threads.lockRepoForDiscussions(tx, caller, name);
      const status = subject === undefined ? 'draft' : 'open';
      const thread = await insert({ tx, caller, repo, role }, { title, text, proposed: { base, head, status } });
      const { num } = thread.discussion;
      await onRefMoved(tx, repo, PULL_REQUEST + num);
      if (subject !== undefined) await threads.addEvent(thread, 'commit', { subject, oid: head });
      return { url: discussionUrls(caller.baseUrl, repo, num).web };
    });
  };

  return {
    openForCommit: open,

    /** Opens a discussion, or a draft pull request with the ref `refs/pr/N`, with its first comment. */
    async create(caller: Caller, name: RepoName, input: { title: string; description: string; pullRequest: boolean }) {
      const text = await texts.write(input.description, caller.principal.userId);
      return database.transaction(async (tx) => {
        const { repo, role } = await threads.lockRepoForDiscussions(tx, caller, name);
        const proposed = input.pullRequest ? { base: MAIN, head: repo.head_sha, status: 'draft' as const } : undefined;
        const { num } = (await insert({ tx, caller, repo, role }, { title: input.title, text, proposed })).discussion;
        return {
          url: discussionUrls(caller.baseUrl, repo, num).web,
          num,
          pullRequest: input.pullRequest,
          ...(proposed && { references: { base: proposed.base } }),
        };
      });
    },
  };
}
