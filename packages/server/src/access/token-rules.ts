import { findAccount } from '../accounts/index.ts';
import type { ReadExecutor } from '../platform/database/transaction.ts';
import type { Principal } from '../platform/http/authenticate.ts';
import { forbidden, HubError, notFound, unauthorized } from '../platform/http/errors.ts';
import type { Reader } from './policy.ts';
import { rolesOn } from './store.ts';

/** The texts of W§6.4. */
const TEXTS = {
  revoked:
    'Your token has been revoked by the organization administrator, you can no longer access organization resources. Please contact them for more information.',
  approval:
    'Due to the organization token policy, your token needs to be approved by the organization before you can access this resource.',
  lifetime:
    'Due to the organization token policy, only tokens that expire soon enough after they were made can access this resource.',
  'fine-grained': 'Due to the organization token policy, only fine-grained tokens can access this resource.',
} as const;

/** The reason why a token does not reach an organization of its user. */
type CutOff = keyof typeof TEXTS;

const isCutOff = (reason: string): reason is CutOff => Object.hasOwn(TEXTS, reason);

/** Parses the column `cutOffs`. A revocation takes precedence over a policy. */
export function cutOffFrom(text: string | null): Principal['token']['cutOff'] {
  if (text === null) return undefined;
  const pairs = text.split(',').map((pair): readonly string[] => pair.split(':'));
  return Object.fromEntries(pairs.sort(([, a], [, b]) => Number(a === 'revoked') - Number(b === 'revoked')));
}

/** Throws 403 if an organization refuses the caller's token. */
export function requireReach({ token }: Pick<Reader, 'token'>, ownerId: string): void {
  const reason = token.cutOff?.[ownerId];
  if (reason !== undefined) throw forbidden(TEXTS[isCutOff(reason) ? reason : 'revoked']);
}

/**
 * Returns the error for a repository that does not exist. A token that is cut off from the namespace learns nothing,
 * and the number of queries is the same as for a hidden repository, so that the time reveals nothing.
 */
export async function missingRepo(executor: ReadExecutor, principal: Reader, namespace: string): Promise<HubError> {
  if (principal.token.cutOff) {
    const owner = await findAccount(executor, namespace);
    if (owner) requireReach(principal, owner.id);
  }
  await rolesOn(executor, { ownerId: '', groupId: null }, principal.userId);
  return repoNotFound();
}

/** The single error for repositories that do not exist or are hidden (W§2.2, code `RepoNotFound`). */
export const repoNotFound = () => notFound('Repository not found', 'RepoNotFound');

/** Returns whether the declared path of a route names a repository. */
export const namesRepo = (path: string): boolean => path.includes('/{namespace}/{repo}');

/**
 * Returns the 401 for a request without credentials at the declared path of a route. Clients take a repository for missing
 * or hidden by the code alone (C§4.3).
 */
export const credentialsNeeded = (path: string): HubError =>
  namesRepo(path)
    ? unauthorized('Invalid username or password.', 'RepoNotFound')
    : unauthorized('An access token is required: send the header `Authorization: Bearer hf_...`');

/**
 * Turns the 404 `RepoNotFound` of a handler into the 401 that every repository of a closed hub gives to requests without
 * credentials, so that missing and hidden repositories look the same. Returns other errors unchanged.
 */
export const errorForStrangers = (error: unknown, path: string): unknown =>
  error instanceof HubError && error.status === 404 && error.extra.code === 'RepoNotFound'
    ? credentialsNeeded(path)
    : error;
