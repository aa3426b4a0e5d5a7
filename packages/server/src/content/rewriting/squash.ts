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
  readRepo,
  refSha,
} from '../../repositories/index.ts';
import type { RepositoryObjects } from '../objects.ts';
import { revisionNotFound } from '../reading/revisions.ts';

/** Limits how often the commit is rebuilt because the branch moved in the meantime. */
const MAX_TRIES = 8;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly events: Events;
  readonly objects: RepositoryObjects;
}

/** The verb that replaces the history of a branch with a single root commit of the same files. */
export function createSquash({ database, clock, events, objects }: Dependencies) {
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

  return async (caller: Caller, name: RepoName, revision: string, message: string | undefined) => {
    const repo = await readRepo(read, caller, name, 'repo.write');
    const branch = revision.startsWith(BRANCH) ? revision.slice(BRANCH.length) : revision;
    const ref = BRANCH + branch;
    if (!(await refSha(read, repo.id, ref))) throw revisionNotFound(revision);
    await objects.prepare(repo.id);
    for (let tries = 1; tries <= MAX_TRIES; tries++) {
      const head = await refSha(read, repo.id, ref);
      if (head === undefined) throw revisionNotFound(revision);
      const commit = await writeCommit(caller, repo.id, head, message?.trim() || `Super-squash branch '${branch}'`);
      const moved = await runChange(caller, name, async (tx, now) => {
        if ((await refSha(tx, now.id, ref)) !== head) return false;
        await changeRef(refPorts, tx, caller, now, ref, commit, { oldSha: head });
        return true;
      });
      if (moved) return { commitId: commit };
    }
    throw conflict('Other commits keep arriving on this branch; try again');
  };
}
