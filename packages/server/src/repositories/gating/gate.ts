import { bestOf, entitiesOf, grantsOn, mayWrite, type Reader, rolesOn, tokenReadsGated } from '../../access/index.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import type { ReadingCaller } from '../../platform/http/authenticate.ts';
import { HubError } from '../../platform/http/errors.ts';
import { repoUrls } from '../present.ts';
import { fullName, type Repository, repoFacts } from '../store.ts';
import type { AccessRequestRow, RepositoryRow } from '../tables.ts';
import { findRequest } from './request-store.ts';

/** Who reads: a caller with a token, or a user in whose name something was begun. */
export interface GateReader {
  readonly userId: Reader['userId'];
  readonly token?: Reader['token'] | undefined;
}

/**
 * What a gated repository is for somebody who may read about it: open, or closed, for want of credentials or of a token that
 * covers it, or else for want of an accepted request.
 */
type Gate =
  | { readonly is: 'open' | 'closed to strangers' | 'closed to the token' }
  | { readonly is: 'closed'; readonly request: AccessRequestRow | undefined };

/**
 * Returns whether a user needs no request: the owner, whoever may write, and members who may read, unless the settings gate
 * them as well.
 */
export async function needsNoRequest(executor: ReadExecutor, userId: string, repo: RepositoryRow): Promise<boolean> {
  const facts = repoFacts(repo);
  const grants = grantsOn(facts, userId, await rolesOn(executor, facts, userId));
  const role = bestOf(grants.filter(({ source }) => source !== 'public'));
  return role !== undefined && (repo.gate_for_members === 0 || mayWrite(role, facts, userId));
}

async function gateFor(executor: ReadExecutor, { userId, token }: GateReader, repo: RepositoryRow): Promise<Gate> {
  if (repo.gated === null) return { is: 'open' };
  if (userId === undefined) return { is: 'closed to strangers' };
  if (token && !tokenReadsGated(token, entitiesOf(repoFacts(repo)))) return { is: 'closed to the token' };
  if (await needsNoRequest(executor, userId, repo)) return { is: 'open' };
  const request = await findRequest(executor, repo.id, userId);
  return request?.status === 'accepted' ? { is: 'open' } : { is: 'closed', request };
}

/** Returns whether the files of a readable repository are kept from a reader now. */
export const isGatedFor = async (executor: ReadExecutor, reader: GateReader, repo: RepositoryRow): Promise<boolean> =>
  (await gateFor(executor, reader, repo)).is !== 'open';

/**
 * Throws the code `GatedRepo` if the files of a readable repository are kept from the caller: 401 for strangers, else 403. Where
 * a request decides, the field `accessRequest` has its status, or `none`.
 */
export async function requireFiles(
  executor: ReadExecutor,
  { principal, baseUrl }: Pick<ReadingCaller, 'principal' | 'baseUrl'>,
  repo: Repository,
): Promise<void> {
  const gate = await gateFor(executor, principal, repo);
  if (gate.is === 'open') return;
  const what = `Access to ${repo.type} ${fullName(repo)} is restricted`;
  const where = repoUrls(baseUrl, repo.type, fullName(repo)).web;
  if (gate.is === 'closed to strangers')
    throw new HubError(401, `${what} and you are not in the authorized list. Visit ${where} to ask for access.`, {
      code: 'GatedRepo',
      headers: { 'www-authenticate': 'Bearer' },
    });
  throw new HubError(403, `${what}${gate.is === 'closed' ? reasonOf(gate.request, where) : TOKEN_TOO_NARROW}`, {
    code: 'GatedRepo',
    ...(gate.is === 'closed' && { fields: { accessRequest: gate.request?.status ?? 'none' } }),
  });
}

const TOKEN_TOO_NARROW =
  ': your access token does not cover the files of gated repositories. Use one with `canReadGatedRepos`, or with permissions for this repository.';

/** Clients look for `you are not in the authorized list`. */
function reasonOf(request: AccessRequestRow | undefined, where: string): string {
  if (request?.status === 'pending') return '. Your request for access is awaiting a review by the authors.';
  if (request?.status === 'rejected')
    return ` and you are not in the authorized list. ${rejectionOf(request.rejection_reason)}`;
  return ` and you are not in the authorized list. Visit ${where} to ask for access.`;
}

/** Returns the sentence for a user whose request was rejected. */
export const rejectionOf = (reason: string | null): string =>
  reason === null
    ? 'The authors rejected your request for access.'
    : `The authors rejected your request for access: ${reason}`;
