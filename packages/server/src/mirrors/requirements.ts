import { refsWithTags } from '../content/index.ts';
import type { Executor } from '../platform/database/transaction.ts';
import { GitUnavailable, requireGit } from '../platform/git/stock/git-version.ts';
import { badRequest, conflict, forbidden, HubError } from '../platform/http/errors.ts';
import { MAIN, PULL_REQUEST, type Repository, rootCommitsOf } from '../repositories/index.ts';
import { remoteUrlFault } from './policy.ts';

export interface MirrorSettings {
  readonly enabled: boolean;
  readonly minIntervalSeconds: number;
}

/** Throws 403 if mirrors are switched off. */
export function requireEnabled({ enabled }: MirrorSettings): void {
  if (!enabled) throw forbidden('Mirrors are switched off on this hub');
}

/** Throws 400 for a URL or an interval that the hub does not take, and 501 without git. */
export async function requireUsable(
  settings: MirrorSettings,
  { url, interval }: { readonly url?: string | undefined; readonly interval?: number | undefined },
): Promise<void> {
  requireEnabled(settings);
  const fault = url === undefined ? undefined : remoteUrlFault(url);
  if (fault) throw invalid('body.url', fault);
  const { minIntervalSeconds: min } = settings;
  if (interval !== undefined && interval < min) throw invalid('body.interval', `must be at least ${min} seconds`);
  await requireGit().catch((error: unknown) => {
    throw error instanceof GitUnavailable ? new HubError(501, error.message) : error;
  });
}

const invalid = (path: string, message: string) => badRequest(`${path}: ${message}`, [{ path, message }]);

/** Throws 409 if a repository has more than the commit that it was created with. */
export async function requireEmpty(tx: Executor, repo: Repository): Promise<void> {
  const roots = new Set((await rootCommitsOf(tx, repo.id)).map(({ sha }) => sha));
  const refs = (await refsWithTags(tx, repo.id)).filter(({ ref }) => !ref.startsWith(PULL_REQUEST));
  if (refs.every(({ ref, sha }) => ref === MAIN && roots.has(sha))) return;
  throw conflict(
    'The repository has commits, branches or tags, which a mirror replaces by those of its remote; send overwrite: true if that is meant',
  );
}
