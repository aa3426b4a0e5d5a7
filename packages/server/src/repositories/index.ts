export { recordForRepo } from './audit.ts';
export { createChangeRunner, lockReadableRepo, lockWritableRepo } from './change-runner.ts';
export { addLikes, type RepoCounts, setCounts } from './counts-store.ts';
export { type FirstFile, isNewPrivate, type NewRepoSettings, type WriteFirstFiles } from './creating.ts';
export {
  type AccessRequestEvent,
  accessRequestTopic,
  discussionTopic,
  payloadOf,
  type RepoEvent,
  recordRepoEvent,
  repoTopic,
  topicOf,
} from './events.ts';
export { isGatedFor, requireFiles } from './gating/gate.ts';
export { handlesRequests } from './gating/handlers-conditions.ts';
export { handlersOf } from './gating/handlers-store.ts';
export { type CardFields, presentInfo, requireExpandable, type Sibling } from './info.ts';
export { digestOf, keyOf, type Position, positionFrom } from './lists/keyset.ts';
export { readableOf } from './lists/owned-store.ts';
export { rowsWithIds } from './lists/selection-store.ts';
export {
  ALONE,
  countRows,
  type FirstRows,
  firstRows,
  type ListFilter,
  lookAtFirst,
  type SortedList,
} from './lists/sorted-list-store.ts';
export { mayHaveTags, signTags, takeUnsigned } from './lists/tag-signature-store.ts';
export { listByVisibility } from './lists/visibility-conditions.ts';
export { createRedirects, redirectAfterMove } from './moved.ts';
export { hasOldNames } from './moved-store.ts';
export { resolveNames, type TypedName } from './name-store.ts';
export { fillNames, fillNamesTask } from './names/fill.ts';
export { namesAreFilled } from './names/fill-store.ts';
export type { NewSpace, SpaceEntry, SpaceSetup } from './new-space.ts';
export { BRANCH, MAIN, PULL_REQUEST, refNameFault, repoNameFault, TAG } from './policy.ts';
export { nameInPath, payloadRepo, repoUrls, segmentOf, subdomainOf } from './present.ts';
export { findUnreachableSources, insufficientTokenReach, requireReachableSources } from './reach/reach.ts';
export type { Source } from './reach/reach-store.ts';
export { type BucketTotal, type RepoContents, readRepo, readRepoFiles } from './reading.ts';
export type { WriteTag } from './refs/branches-and-tags.ts';
export { createFirstCommits, firstCommitsTask } from './refs/first-commits.ts';
export { ROOT_TREES } from './refs/first-files.ts';
export { requireUnmirrored } from './refs/mirrored.ts';
export { createRefNames, type RefNames } from './refs/ref-names.ts';
export { changeRef, moveRefs, type RefMove, type RefPorts, resolveRevision } from './refs/refs.ts';
export { rootCommitsOf } from './refs/root-commit-store.ts';
export { authorOf, type RootCommit } from './refs/root-commits.ts';
export { newSpaceIn, repositoryRoutes, splitName } from './routes.ts';
export { createRepositories, type Repositories } from './service.ts';
export { shortNameError } from './short-names.ts';
export {
  deleteReposOf,
  deleteTombstones,
  findRepo,
  findRepoById,
  fullName,
  isOwnedBy,
  listReadable,
  listTombstones,
  lockRepo,
  lockRepoById,
  ownedBy,
  REPOSITORY_COLUMNS,
  type RepoName,
  type Repository,
  refSha,
  repoFacts,
  reposOwnedBy,
  updateRepo,
  WITH_OWNER,
} from './store.ts';
export { REPOSITORIES_BACKUP } from './tables.ts';
