import {
  entitiesOf,
  isLimited,
  type Reader,
  requireReach,
  tokenCovers,
  tokenReads,
  tokenReadsGated,
} from '../../access/index.ts';
import { nameKey } from '../../accounts/index.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import type { Principal } from '../../platform/http/authenticate.ts';
import { forbidden } from '../../platform/http/errors.ts';
import { type Source, sourceAccounts, sourceRepos } from './reach-store.ts';

const NOT_REACHED =
  'Your access token does not reach everything that this is about; use one with the role write, or with the permissions for all of it';

/** Returns whether a token can read everything private of an account that its user can read. */
const reachesAccount = ({ token }: Reader, accountId: string): boolean =>
  !token.cutOff?.[accountId] && tokenReads(token, [accountId]);

/** Returns whether a token covers writing to the given entities. */
const writesTo = ({ token }: Reader, entityIds: readonly string[]): boolean =>
  tokenCovers(token, 'repo.write', entityIds);

/** A source outside the reach of a token, with its account if the account is known. */
interface UnreachableSource<S> {
  readonly source: S;
  readonly ownerId: string | undefined;
}

/**
 * Returns the sources outside the reach of a caller's token. A readable repository is within reach. A missing or hidden
 * one is within reach only if its whole account is, so that nobody can tell the two apart. An unknown account is
 * outside the reach of every limited token, because nobody knows what it will become.
 */
export async function findUnreachableSources<S extends Source>(
  executor: ReadExecutor,
  reader: Reader,
  sources: readonly S[],
): Promise<UnreachableSource<S>[]> {
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
    const opens = !repo?.gated || !source.files || tokenReadsGated(reader.token, entitiesOf(repo));
    const reads = (repo?.reads && opens) || (ownerId && reachesAccount(reader, ownerId));
    const writes = !source.written || (ownerId && writesTo(reader, repo ? entitiesOf(repo) : [ownerId]));
    return reads && writes ? [] : [{ source, ownerId: ownerId || undefined }];
  });
}

/** Throws 403 if a token does not reach one of the sources, whatever its user may read; the error names no source. */
export async function requireReachableSources(
  executor: ReadExecutor,
  principal: Principal,
  sources: readonly Source[],
): Promise<void> {
  const [first] = await findUnreachableSources(executor, principal, sources);
  if (!first) return;
  if (first.ownerId) requireReach(principal, first.ownerId);
  throw forbidden(NOT_REACHED);
}

/** Returns the 403 for a token that reaches less than its user. */
export const insufficientTokenReach = () => forbidden(NOT_REACHED);
