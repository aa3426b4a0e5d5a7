import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/transaction.ts';
import type { ObjectWriter } from '../../platform/git/object-writer.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { authorOf, type RepoName, type Repository, refSha } from '../../repositories/index.ts';
import type { LargeFiles } from '../large-files/assembly.ts';
import type { RepositoryObjects } from '../objects.ts';
import { type Revisions, revisionNotFound } from '../reading/revisions.ts';
import { branchRef } from './branches.ts';
import { recordPlacesOf } from './destination.ts';
import { makeCommit } from './make-commit.ts';
import { type PullRequests, subjectOf } from './pull-requests.ts';
import type { Upload } from './upload.ts';

/** Longer texts are cut to what discussions accept. */
const MAX_TITLE_CHARACTERS = 200;
const MAX_DESCRIPTION_CHARACTERS = 65_536;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly objects: RepositoryObjects;
  readonly revisions: Revisions;
  readonly pullRequests: PullRequests;
  readonly largeFiles: Pick<LargeFiles, 'recordPlaces'>;
}

interface Proposal {
  readonly caller: Caller;
  readonly name: RepoName;
  readonly repo: Repository;
  /** The branch that the pull request is to be merged into. */
  readonly revision: string;
}

/** Opens a pull request with the commit of an upload. */
export function createProposing(dependencies: Dependencies) {
  const { clock, objects, revisions, pullRequests, largeFiles } = dependencies;
  const { read } = dependencies.database;

  /** Returns the head of the branch that a pull request targets. Throws 404 if the revision is not a branch. */
  async function baseHead({ repo, revision }: Pick<Proposal, 'repo' | 'revision'>): Promise<string> {
    pullRequests.requireEnabled(repo);
    const head = await refSha(read, repo.id, branchRef(revision));
    if (head === undefined) throw revisionNotFound(revision);
    return head;
  }

  return {
    baseHead,

    async propose(proposal: Proposal, upload: Upload, writer: ObjectWriter) {
      const { caller, name, repo, revision } = proposal;
      const head = await baseHead(proposal);
      const { parentCommit } = upload;
      const start =
        parentCommit === undefined
          ? head
          : (await revisions.resolve(repo, [{ revision: parentCommit, path: '' }])).commit;
      const author = authorOf(caller.principal.userName, caller.hubUrl, clock.now());
      const newCommit = await makeCommit({ repository: objects.open(repo.id), writer, author }, start, upload);
      const subject = subjectOf(upload);
      const { url } = await pullRequests.open(caller, name, {
        title: subject.slice(0, MAX_TITLE_CHARACTERS) || 'Pull request',
        description: upload.description.slice(0, MAX_DESCRIPTION_CHARACTERS),
        base: branchRef(revision),
        head: newCommit ?? start,
        subject: newCommit && subject,
        onRefMoved: recordPlacesOf(largeFiles, upload),
      });
      return { commit: newCommit ?? start, url };
    },
  };
}
