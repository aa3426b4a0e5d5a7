export { type ContentParts, createContentParts } from './assembly.ts';
export { checkHistory } from './check-history.ts';
export type { FindConflicts, MakeMerge } from './committing/merge.ts';
export { type PullRequests, pullRequestNumber } from './committing/pull-requests.ts';
export { MAX_REGULAR_BYTES } from './committing/upload.ts';
export type { DiffOfProposal } from './comparing/diff.ts';
export { createGitUpkeep } from './git-upkeep/git-upkeep.ts';
export { countFailing } from './git-upkeep/upkeep-store.ts';
export { createLargeFiles, type LargeFiles } from './large-files/assembly.ts';
export { type CollectStorage, createCollection } from './large-files/collection.ts';
export { bytesOfOwner } from './large-files/grant-store.ts';
export { paced } from './large-files/paced.ts';
export type { ProposerId } from './large-files/proposers.ts';
export { defaultQuota, type Quotas, quotaOf } from './large-files/quotas.ts';
export { credentialIdsOf, Requester } from './large-files/signed-access.ts';
export { createUpkeep } from './large-files/upkeep.ts';
export {
  countLocks,
  deleteLock,
  type FileLock,
  insertLock,
  type LockedPath,
  type LockFilter,
  listLocks,
  lockedByOthers,
} from './locks/lock-store.ts';
export { lockFinder } from './locks/locked-paths.ts';
export type { HeldFolder } from './objects.ts';
export { openPackArchive } from './packs/archiving.ts';
export { type BucketGit, createBucketGit } from './packs/assembly.ts';
export type { MovedGit } from './packs/moving.ts';
export { MAX_POINTER_BYTES, parsePointer } from './pointer.ts';
export { type CheckOut, CheckOutFault, type CheckOutSize, type CheckOutTarget } from './reading/check-out.ts';
export type { CommitFile, ListCommitFiles } from './reading/commit-files.ts';
export { dispositionOf } from './reading/disposition.ts';
export type { FileDownload } from './reading/download.ts';
export { entryNotFound } from './reading/entry-not-found.ts';
export { fileHeaders } from './reading/file-headers.ts';
export { makeFolder, writeNewFile } from './reading/new-files.ts';
export { type ResolvedPath, revisionNotFound } from './reading/revisions.ts';
export type { StorageOfRef } from './reading/storage-of-ref.ts';
export { partsOfUrl, type RevisionPath, revisionPathsIn } from './reading/url-tail.ts';
export { acceptsFileInfo, fileInfo, type XetFacts, xetHeaders } from './reading/xet-facts.ts';
export type { DropLargeFiles } from './rewriting/drop-large-files.ts';
export { contentRoutes } from './routes.ts';
export { faultsOfFiles, type PutFiles } from './starting/put-files.ts';
export { gitRepoIds, refsWithTags, type StoredRef } from './store.ts';
export { CONTENT_BACKUP } from './tables.ts';
