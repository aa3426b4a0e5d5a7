export { type RepoEvent, recordRepoEvent } from './events.ts';
export { MAIN, repoNameFault } from './policy.ts';
export { payloadRepo, repoUrls, segmentOf, subdomainOf } from './present.ts';
export { changeRef, madeCommitId } from './refs.ts';
export { nameInPath, repositoryRoutes } from './routes.ts';
export { createRepositories, type Repositories } from './service.ts';
export {
  findRepo,
  fullName,
  lockRepo,
  type RepoName,
  type Repository,
  repoFacts,
  reposOwnedBy,
  updateRepo,
} from './store.ts';
