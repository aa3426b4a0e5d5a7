import { entitiesOf, isLimited, type Reader, requireReach, tokenCovers, tokenReads } from '../access/index.ts';
import { nameKey } from '../accounts/index.ts';
import type { ReadExecutor } from '../platform/database/transaction.ts';
import type { Principal } from '../platform/http/authenticate.ts';
import { forbidden } from '../platform/http/errors.ts';
import { type Source, sourceAccounts, sourceRepos } from './reach-store.ts';

const NOT_REACHED =
  'Your access token does not reach everything that this is about; use one with the role write, or with the permissions for all of it';

/** Whether a token reads whatever private thing an account has, as far as its user does. */
const reachesAccount = ({ token }: Reader, accountId: string): boolean =>
  !token.cutOff?.[accountId] && tokenReads(token, [accountId]);

/** Whether a token writes to things, given by themselves, as far as its user does. */
const writesTo = ({ token }: Reader, entityIds: readonly string[]): boolean =>
  tokenCovers(token, 'repo.write', entityIds);

/** A source that a token does not reach, with the account that it belongs to, where there is one. */
interface Unreached<S> {
  readonly source: S;
  readonly ownerId: string | undefined;
}

/**
 * Of some sources those that a caller's token does not reach. A repository is reached where it may be read; what is not
 * there, or may not be seen, where all of its account is: nobody learns which it is. An account that is not there is
 * reached by no limited token, as nobody knows what it will be.
 */
export async function unreachedAmong<S extends Source>(
  executor: ReadExecutor,
  reader: Reader,
  sources: readonly S[],
): Promise<Unreached<S>[]> {
  if (!isLimited(reader) || sources.length === 0) return [];
  const repos = await sourceRepos(executor, reader, sources);
  const accounts = await sourceAccounts(executor, sources);
  return sources.flatMap((source) => {
    const key = nameKey(source.name);
    const repo =
      (source.targetId && repos.get(source.targetId)) ||
      (source.ownerId === undefined ? repos.get(`${source.type} ${key}`) : undefined);
    const ownerId =
      (source.targetId && accounts.get(source.targetId)) ??
      repo?.ownerId ??
      source.ownerId ??
      accounts.get(key.split('/')[0] ?? '');
    const reads = repo?.reads || (ownerId && reachesAccount(reader, ownerId));
    const writes = !source.written || (ownerId && writesTo(reader, repo ? entitiesOf(repo) : [ownerId]));
    return reads && writes ? [] : [{ source, ownerId: ownerId || undefined }];
  });
}

/** 403 where a token does not reach one of the sources, whatever its user may read. It names none of them. */
export async function requireSources(
  executor: ReadExecutor,
  principal: Principal,
  sources: readonly Source[],
): Promise<void> {
  const [first] = await unreachedAmong(executor, principal, sources);
  if (!first) return;
  if (first.ownerId) requireReach(principal, first.ownerId);
  throw forbidden(NOT_REACHED);
}

/** 403 for a token that reaches less than its user does. */
export const notReached = () => forbidden(NOT_REACHED);
