import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/transaction.ts';
import type { Events } from '../../platform/events/events.ts';
import { encodeCommit } from '../../platform/git/objects/commit.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { conflict } from '../../platform/http/errors.ts';
import {
  authorOf,
  BRANCH,
  changeRef,
  createChangeRunner,
  type RepoName,
  type Repository,
  readRepo,
  refSha,
} from '../../repositories/index.ts';
import { type PullRequests, pullRequestNumber } from '../committing/pull-requests.ts';
import type { RepositoryObjects } from '../objects.ts';
import { revisionNotFound } from '../reading/revisions.ts';

/** Limits how often the commit is rebuilt because the branch moved in the meantime. */
const MAX_TRIES = 8;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly events: Events;
  readonly objects: RepositoryObjects;
  readonly pullRequests: Pick<PullRequests, 'requireCommit' | 'push'>;
}

/** A ref to squash. */
interface Target {
  readonly ref: string;
  /** The name of the ref in the message of the commit. */
  readonly label: string;
  /** Moves the ref in a transaction of its own; returns false if the ref no longer points to the old commit. */
  readonly move: (oldSha: string, newSha: string, subject: string) => Promise<boolean>;
}

/** The verb that replaces the history of a branch, or of a pull request, with a single root commit of the same files. */
export function createSquash({ database, clock, events, objects, pullRequests }: Dependencies) {
  const { read } = database;
  const runChange = createChangeRunner(database);
  const refPorts = { clock, events, onRefsChanged: objects.refsChanged };

  async function writeCommit(caller: Caller, repoId: string, head: string, message: string): Promise<string> {
    const repository = objects.open(repoId);
    const { tree } = await repository.readCommit(head);
    const author = authorOf(caller.principal.userName, caller.hubUrl, clock.now());
    const writer = repository.writer();
    try {
      const body = encodeCommit({ tree, parents: [], author, committer: author, message });
      const commit = await writer.add({ type: 'commit', body });
      await writer.finish();
      return commit;
    } finally {
      await writer.discard();
    }
  }

  function branchTarget(caller: Caller, name: RepoName, revision: string): Target {
    const branch = revision.startsWith(BRANCH) ? revision.slice(BRANCH.length) : revision;
    const ref = BRANCH + branch;
    const move = (oldSha: string, newSha: string) =>
      runChange(caller, name, async (tx, now) => {
        if ((await refSha(tx, now.id, ref)) !== oldSha) return false;
        await changeRef(refPorts, tx, caller, now, ref, newSha, { oldSha });
        return true;
      });
    return { ref, label: branch, move };
  }

  /** Throws 404 or 409 if the pull request accepts no commits. */
  async function pullRequestTarget(caller: Caller, name: RepoName, ref: string, num: number): Promise<Target> {
    await pullRequests.requireCommit(caller, name, num);
    const move = (oldSha: string, newSha: string, subject: string) =>
      pullRequests.push(caller, name, num, { oldSha, newSha, subject, onRefMoved: async () => {} });
    return { ref, label: ref, move };
  }

  async function headOf(repo: Repository, { ref, label }: Target): Promise<string> {
    const head = await refSha(read, repo.id, ref);
    if (head === undefined) throw revisionNotFound(label);
    return head;
  }

  return async (caller: Caller, name: RepoName, revision: string, message: string | undefined) => {
    const repo = await readRepo(read, caller, name, 'repo.write');
    const num = pullRequestNumber(revision);
    const target =
      num === undefined ? branchTarget(caller, name, revision) : await pullRequestTarget(caller, name, revision, num);
    await headOf(repo, target);
    await objects.prepare(repo.id);
    const text = message?.trim() || `Super-squash branch '${target.label}'`;
    for (let tries = 1; tries <= MAX_TRIES; tries++) {
      const head = await headOf(repo, target);
      const commit = await writeCommit(caller, repo.id, head, text);
      if (await target.move(head, commit, text.split('\n', 1)[0] ?? '')) return { commitId: commit };
    }
    throw conflict('Other commits keep arriving on this branch; try again');
  };
}
