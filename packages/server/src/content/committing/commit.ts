import { createAttempts } from '../../platform/attempts.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/transaction.ts';
import type { Events } from '../../platform/events/events.ts';
import type { ObjectWriter } from '../../platform/git/object-writer.ts';
import { TreeConflict } from '../../platform/git/tree-changes.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { conflict, HubError, notFound } from '../../platform/http/errors.ts';
import type { KeyedMutex } from '../../platform/mutex.ts';
import {
  authorOf,
  fullName,
  type RepoName,
  type Repository,
  readRepoFiles,
  repoUrls,
} from '../../repositories/index.ts';
import type { LargeFiles } from '../large-files/assembly.ts';
import { requireUnlocked } from '../locks/locked-paths.ts';
import type { RepositoryObjects } from '../objects.ts';
import type { Revisions } from '../reading/revisions.ts';
import { createBranchDestinations } from './branches.ts';
import type { Destination } from './destination.ts';
import { isRepeated, makeCommit } from './make-commit.ts';
import { createProposing } from './propose.ts';
import { createPullRequestDestinations, type PullRequests, permissionFor, pullRequestNumber } from './pull-requests.ts';
import { readUpload, type Upload } from './upload.ts';

/** Limits how often a commit without a required parent is rebuilt because the ref has moved. */
const ATTEMPTS = { count: 8, ms: 20_000 };

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly events: Events;
  readonly objects: RepositoryObjects;
  readonly revisions: Revisions;
  readonly largeFiles: Pick<LargeFiles, 'find' | 'recordPlaces'>;
  readonly pullRequests: PullRequests;
  /** Serializes the commits to one repository, so that no commit is built in vain within a process. */
  readonly runExclusive: KeyedMutex;
}

export interface CommitRequest {
  /** The name of a branch, or the ref of a pull request. */
  readonly revision: string;
  readonly body: AsyncIterable<Uint8Array>;
  /** Looks the caller up again; throws 401 unless the credential is still valid. A body may take hours. */
  readonly callerNow: () => Promise<Caller>;
  readonly isDocument: boolean;
  /** Whether the commit opens a new pull request against the branch. */
  readonly opensPullRequest: boolean;
}

/** Clients of today look for the first two sentences, and tools for the beginning of the third. */
const branchMoved = (parent: string, head: string) =>
  new HubError(
    412,
    `The branch was updated since you opened this page. Please refresh and try again. A commit has happened since ${parent}: the head is ${head}`,
  );

/** The verb that commits files: objects on the disk, then the ref with its event, then the refs on the disk. */
export function createCommitting(dependencies: Dependencies) {
  const { database, clock, objects, largeFiles, runExclusive } = dependencies;
  const { read } = database;
  const branch = createBranchDestinations(dependencies);
  const pullRequest = createPullRequestDestinations(dependencies);
  const proposing = createProposing(dependencies);

  async function commitTo(
    caller: Caller,
    repo: Repository,
    destination: Destination,
    upload: Upload,
    firstWriter: ObjectWriter,
  ) {
    const repository = objects.open(repo.id);
    let writer = firstWriter;
    for (const attempts = createAttempts(ATTEMPTS); attempts.next(); ) {
      const head = await destination.head();
      const { parentCommit } = upload;
      if (parentCommit !== undefined && parentCommit !== head) {
        if (await isRepeated(repository, head, upload)) return head;
        throw branchMoved(parentCommit, head);
      }
      const commit = await makeCommit(
        { repository, writer, author: authorOf(caller.principal.userName, caller.hubUrl, clock.now()) },
        head,
        upload,
      );
      if (commit === undefined) return head;
      if (await destination.move({ oldSha: head, newSha: commit, upload })) return commit;
      // The blobs are on the disk already; only the trees and the commit are built again.
      writer = repository.writer();
    }
    throw conflict('Other commits keep arriving on this branch; try again');
  }

  /**
   * Returns the function that commits an upload to its destination. Throws before the body is read if the caller may
   * not.
   */
  async function chooseDestination(caller: Caller, name: RepoName, repo: Repository, request: CommitRequest) {
    const { revision, opensPullRequest } = request;
    if (opensPullRequest) {
      await proposing.baseHead({ repo, revision });
      return async (upload: Upload, writer: ObjectWriter) => {
        const { commit, url } = await proposing.propose({ caller, name, repo, revision }, upload, writer);
        return { commit, pullRequestUrl: url };
      };
    }
    const num = pullRequestNumber(revision);
    const destination =
      num === undefined ? branch(caller, name, repo, revision) : await pullRequest(caller, name, repo, num);
    await destination.head();
    return async (upload: Upload, writer: ObjectWriter) => ({
      commit: await runExclusive(repo.id, () => commitTo(caller, repo, destination, upload, writer)),
    });
  }

  return async (caller: Caller, name: RepoName, request: CommitRequest) => {
    const repo = await readRepoFiles(read, caller, name, permissionFor(request));
    const commitUpload = await chooseDestination(caller, name, repo, request);
    await objects.prepare(repo.id);
    const writer = objects.open(repo.id).writer();
    try {
      const findLargeFiles = (sha256s: readonly string[]) => largeFiles.find(read, repo.id, sha256s);
      const { body, isDocument, callerNow } = request;
      const upload = await readUpload(body, { isDocument, writer, findLargeFiles });
      const { userId } = (await callerNow()).principal;
      const paths = upload.changes.map(({ path }) => path);
      await requireUnlocked(read, { repoId: repo.id, userId }, paths);
      const { commit, ...others } = await commitUpload(upload, writer);
      return {
        success: true as const,
        commitOid: commit,
        commitUrl: `${repoUrls(caller.baseUrl, repo.type, fullName(repo)).web}/commit/${commit}`,
        hookOutput: '',
        ...others,
      };
    } catch (error) {
      throw error instanceof TreeConflict ? refusalOf(error) : error;
    } finally {
      await writer.discard();
    }
  };
}

/** Returns the error that tells the caller why a tree cannot take the changes. */
export function refusalOf({ reason, path }: TreeConflict): HubError {
  switch (reason) {
    case 'missing':
      return notFound(`A file with this name doesn't exist: ${path}`, 'EntryNotFound');
    case 'file-in-the-way':
      return conflict(`${path} cannot be created: one of its folders is a file`);
    case 'folder-in-the-way':
      return conflict(`${path} cannot be created: a folder has this name`);
  }
}
