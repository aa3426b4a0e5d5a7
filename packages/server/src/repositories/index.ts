export { discussionTopic, payloadOf, type RepoEvent, recordRepoEvent, repoTopic, topicOf } from './events.ts';
export { type Named, resolveNames } from './names.ts';
export { MAIN, PULL_REQUEST, repoNameFault } from './policy.ts';
export { payloadRepo, repoUrls, segmentOf, subdomainOf } from './present.ts';
export { notReached, requireSources, type Source, unreachedAmong } from './reach.ts';
export { readRepo } from './reading.ts';
export { changeRef, madeCommitId, resolveRevision } from './refs.ts';
export { nameInPath, repositoryRoutes } from './routes.ts';
export { createRepositories, type Repositories } from './service.ts';
export {
  findRepo,
  fullName,
  listReadable,
  lockRepo,
  type RepoName,
  type Repository,
  repoFacts,
  reposOwnedBy,
  updateRepo,
} from './store.ts';
