import { nameKey } from '../../accounts/index.ts';
import type { RepoEvent } from '../../repositories/index.ts';

/** The columns of a delivery before its first attempt. */
export const UNSENT = {
  status: 'pending',
  attempts: 0,
  replay_of: null,
  response_status: null,
  error: null,
  duration_ms: null,
  job_id: null,
} as const;

/** Returns the columns of a delivery that describe the repository it is about. */
export const repositoryColumns = (repo: RepoEvent['repo']) => ({
  repo_id: repo.id,
  repo_type: repo.type,
  repo_name: repo.name,
  repo_key: nameKey(repo.name),
  repo_owner_id: repo.ownerId,
  repo_private: repo.private ? 1 : 0,
  repo_group_id: repo.groupId,
});
