import type { Visitor } from '../../platform/http/authenticate.ts';
import { fullName, type Repository } from '../../repositories/index.ts';

export const casUrlOf = (baseUrl: string, { owner_id }: Pick<Repository, 'owner_id'>): string =>
  `${baseUrl}/cas/${owner_id}`;

/**
 * Returns where clients of Xet get a token to read a repository at a commit, and of which chunks a file consists; a
 * bucket has no commits.
 */
export const linksTo = ({ baseUrl }: Visitor, repo: Repository, commit: string | undefined, hash: string) => ({
  refreshUrl: `${baseUrl}/api/${repo.type}s/${fullName(repo)}/xet-read-token${commit === undefined ? '' : `/${commit}`}`,
  reconstructionUrl: `${casUrlOf(baseUrl, repo)}/v1/reconstructions/${hash}`,
});
