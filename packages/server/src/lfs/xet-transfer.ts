import type { Visitor } from '../platform/http/authenticate.ts';
import { fullName, type Repository } from '../repositories/index.ts';

interface Asked {
  readonly transfers: readonly string[];
  readonly hash_algo?: string | undefined;
}

/**
 * Returns whether a client that uploads is told to use Xet: `@huggingface/hub`, which alone gives its hash this name. Others that
 * offer Xet may be older than the endpoints of this hub (C§0.2), and lose nothing by git LFS.
 */
export const isToldOfXet = ({ transfers, hash_algo }: Asked): boolean =>
  hash_algo === 'sha_256' && transfers.includes('xet');

/** Returns where a client gets the token for an upload; one without a ref is for a pull request that does not exist yet. */
export function xetTokenUrl({ baseUrl }: Visitor, repo: Repository, ref: string | undefined): string {
  const tokens = `${baseUrl}/api/${repo.type}s/${fullName(repo)}/xet-write-token`;
  return ref === undefined ? `${tokens}/main?create_pr=1` : `${tokens}/${encodeURIComponent(ref)}`;
}
