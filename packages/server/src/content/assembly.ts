import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/transaction.ts';
import type { Events } from '../platform/events/events.ts';
import type { GitStore } from '../platform/git/git-store.ts';
import type { WarningLogger } from '../platform/logger.ts';
import { createKeyedMutex } from '../platform/mutex.ts';
import type { Repositories, Repository } from '../repositories/index.ts';
import { createCommitting } from './committing/commit.ts';
import { createMerging } from './committing/merge.ts';
import { createPreupload } from './committing/preupload.ts';
import type { PullRequests } from './committing/pull-requests.ts';
import { createTagWriting } from './committing/write-tag.ts';
import { createCompare } from './comparing/compare.ts';
import { createDiffs } from './comparing/diff.ts';
import { createGitChanges } from './git-upkeep/changes.ts';
import { createGitUpkeep } from './git-upkeep/git-upkeep.ts';
import type { MaintenanceRun } from './git-upkeep/looking.ts';
import { createStorage } from './git-upkeep/storage.ts';
import { packedBytesOf } from './git-upkeep/upkeep-store.ts';
import type { LargeFiles } from './large-files/assembly.ts';
import { createCommittedFiles } from './large-files/committed-files.ts';
import { createRepositoryObjects } from './objects.ts';
import type { BucketGit } from './packs/assembly.ts';
import { checkGitPlace } from './packs/start.ts';
import { createBlobFacts } from './reading/blob-facts.ts';
import { createCheckOut } from './reading/check-out.ts';
import { createCommitFiles } from './reading/commit-files.ts';
import { createCommitList } from './reading/commits.ts';
import { createDownload, type FileDownload } from './reading/download.ts';
import { createEntries } from './reading/entries.ts';
import { createRevisions } from './reading/revisions.ts';
import { createSiblings } from './reading/siblings.ts';
import { createStorageOfRef } from './reading/storage-of-ref.ts';
import { createTreeSize } from './reading/tree-size.ts';
import type { XetFacts } from './reading/xet-facts.ts';
import { createDropLargeFiles } from './rewriting/drop-large-files.ts';
import { createSquash } from './rewriting/squash.ts';
import { createDuplicate } from './starting/duplicate.ts';
import { createFirstFiles } from './starting/first-files.ts';
import { createPutFiles } from './starting/put-files.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: WarningLogger;
  readonly events: Events;
  readonly store: GitStore;
  /** Given if git objects are kept in a bucket. */
  readonly bucketGit: BucketGit | undefined;
  readonly largeFiles: LargeFiles;
  readonly xet: XetFacts;
  /** Called once for each file that the hub serves. */
  readonly onDownload: (download: FileDownload) => void;
  readonly pullRequests: PullRequests;
  /** Called with the error when refs could not be written to the disk. */
  readonly onRefsFailed: (error: unknown) => void;
  readonly upkeep: {
    /** Returns whether this process is the one, of all that share the database, that maintains git folders. */
    readonly hold: () => Promise<boolean>;
    /** Wakes the upkeep, in whatever process. */
    readonly nudge: () => void;
    readonly onRun: (run: MaintenanceRun) => void;
  };
}

export type ContentParts = ReturnType<typeof createContentParts>;

/** Assembles the services of this slice. */
export function createContentParts({
  database,
  clock,
  logger,
  events,
  store,
  bucketGit,
  largeFiles,
  xet,
  pullRequests,
  onRefsFailed,
  onDownload,
  upkeep,
}: Dependencies) {
  const { read } = database;
  const gitChanges = createGitChanges({ database, clock, logger });
  const objects = createRepositoryObjects({
    ...{ database, store, packs: bucketGit?.packs, onRefsFailed, onChanged: gitChanges.onChanged },
  });
  const revisions = createRevisions({ read, objects });
  const factsOf = createBlobFacts();
  const runExclusive = createKeyedMutex();
  const { diff, diffOfProposal } = createDiffs(objects);
  return {
    prepareForGit: (repoId: string) => objects.prepareForGit(repoId),
    refsForGit: objects.refsForGit,
    adoptPacks: objects.adoptPacks,
    isCommitted: createCommittedFiles({ objects, logger }),
    /** Opens the objects of a repository. */
    openObjects: objects.open,
    /** To be called at the start. Throws unless git objects are where the settings say. */
    async begin(): Promise<void> {
      await checkGitPlace({ read, logger, ownership: bucketGit?.ownership });
      bucketGit?.takeOver();
    },
    /** Resolves once the refs on the disk follow the database, and nothing works with the bucket of git objects. */
    async settle(): Promise<void> {
      await objects.settle();
      await bucketGit?.close();
    },
    gitChanges,
    gitUpkeep:
      bucketGit?.createUpkeep(upkeep) ?? createGitUpkeep({ ...{ database, clock, logger, store, objects }, ...upkeep }),
    repairRefs: (isEnding: () => boolean) => objects.repairRefs(isEnding),
    ...createMerging({ clock, objects }),
    diffOfProposal,
    runExclusive,
    writeTag: createTagWriting({ clock, objects }),
    writeFirstFiles: createFirstFiles({ clock, objects }),
    putFiles: createPutFiles({ database, clock, events, objects }),
    duplicateWith: (createWith: Repositories['createWith']) =>
      createDuplicate({ database, objects, largeFiles, createWith }),
    dropLargeFiles: createDropLargeFiles({ database, clock, events, objects, factsOf }),
    /** To be called after each transaction that changed refs; the next start repairs what fails here. */
    onRefsChanged: objects.refsChanged,
    commitOf: async (repo: Repository, revision: string): Promise<string> =>
      (await revisions.resolve(repo, [{ revision, path: '' }])).commit,
    siblings: createSiblings(objects, factsOf),
    usedStorage: async (repoId: string) =>
      (await largeFiles.totalOf(read, repoId)).bytes + (await packedBytesOf(read, repoId)),
    storageOfRef: createStorageOfRef({ read, objects, factsOf }),
    /** Lists the files of a commit for the hub's own use. */
    commitFiles: createCommitFiles({ read, objects, factsOf, largeFiles }),
    checkOut: createCheckOut({ read, objects, factsOf, largeFiles }),
    /** The verbs that routes call. */
    services: {
      ...createEntries({ read, objects, revisions, factsOf, xet }),
      ...createStorage({ database, clock, largeFiles, nudge: upkeep.nudge }),
      commits: createCommitList({ read, objects, revisions }),
      compare: createCompare({ read, objects, revisions, diff }),
      treeSize: createTreeSize({ read, objects, revisions, factsOf }),
      squash: createSquash({ database, clock, events, objects, pullRequests }),
      download: createDownload({ read, objects, revisions, factsOf, largeFiles, xet, onDownload }),
      preupload: createPreupload({ read, objects, revisions, factsOf, largeFiles }),
      commit: createCommitting({ database, clock, events, objects, revisions, largeFiles, pullRequests, runExclusive }),
    },
  };
}
