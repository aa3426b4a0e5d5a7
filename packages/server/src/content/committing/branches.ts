import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/transaction.ts';
import type { Events } from '../../platform/events/events.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { badRequest } from '../../platform/http/errors.ts';
import {
  BRANCH,
  changeRef,
  createChangeRunner,
  type RepoName,
  type Repository,
  refSha,
  requireUnmirrored,
  TAG,
} from '../../repositories/index.ts';
import type { LargeFiles } from '../large-files/assembly.ts';
import type { RepositoryObjects } from '../objects.ts';
import { revisionNotFound } from '../reading/revisions.ts';
import { type Destination, recordPlacesOf } from './destination.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly events: Events;
  readonly objects: RepositoryObjects;
  readonly largeFiles: Pick<LargeFiles, 'recordPlaces'>;
}

/** Returns the full name of the branch that a revision names. */
export const branchRef = (revision: string): string => (revision.startsWith(BRANCH) ? revision : BRANCH + revision);

/** Returns the function that makes a branch the destination of a commit. */
export function createBranchDestinations({ database, clock, events, objects, largeFiles }: Dependencies) {
  const { read } = database;
  const runChange = createChangeRunner(database);
  const refPorts = { clock, events, onRefsChanged: objects.refsChanged };

  async function headOf(repo: Repository, revision: string): Promise<string> {
    const head = await refSha(read, repo.id, branchRef(revision));
    if (head) return head;
    if (
      (await refSha(read, repo.id, TAG + revision)) ||
      /^[0-9a-f]{40}$/.test(revision) ||
      revision.startsWith('refs/')
    )
      throw badRequest(`Commits go to branches and pull requests, and ${revision} is neither`);
    throw revisionNotFound(revision);
  }

  return (caller: Caller, name: RepoName, repo: Repository, revision: string): Destination => {
    const ref = branchRef(revision);
    return {
      head: async () => {
        requireUnmirrored(repo, ref);
        return headOf(repo, revision);
      },
      move: ({ oldSha, newSha, upload }) =>
        runChange(caller, name, async (tx, repo) => {
          const now = await refSha(tx, repo.id, ref);
          if (now === undefined) throw revisionNotFound(revision);
          if (now !== oldSha) return false;
          await changeRef(refPorts, tx, caller, repo, ref, newSha, { oldSha });
          await recordPlacesOf(largeFiles, upload)(tx, repo, ref);
          return true;
        }),
    };
  };
}
