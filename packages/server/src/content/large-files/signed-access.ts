import type { Permission } from '@moonbase/contract/route';
import * as z from 'zod';
import { requireRepo } from '../../access/index.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { ANONYMOUS, type Anonymous, type Principal } from '../../platform/http/authenticate.ts';
import { HubError } from '../../platform/http/errors.ts';
import { findRepoById, isGatedFor, type Repository, repoFacts } from '../../repositories/index.ts';
import { type ProposerId, proposerIn } from './proposers.ts';
import { repositoryGone } from './refusals.ts';

/**
 * The credential with which a signed URL was requested: an access token or a browser session. A stranger had none, and
 * URLs of the previous release name the user alone.
 */
export const Requester = z.object({
  userId: z.string().optional(),
  tokenId: z.string().optional(),
  sessionId: z.string().optional(),
});
export type Requester = z.infer<typeof Requester>;

/** Returns what a signed URL says of the caller who requests it. */
export function credentialIdsOf(principal: Principal | Anonymous): Requester {
  if (principal.userId === undefined) return {};
  const { userId, session, token } = principal;
  return session ? { userId, sessionId: session.id } : { userId, tokenId: token.id };
}

/** Returns the principal of a credential that is known by its id, as of now; undefined once the credential is not valid. */
export type FindRequester = (requester: Requester & { readonly userId: string }) => Promise<Principal | undefined>;

interface Dependencies {
  readonly read: ReadExecutor;
  readonly findRequester: FindRequester;
  /** Whether what is public can be read without credentials. */
  readonly anonymousRead: boolean;
}

/** What a signed URL is for: a repository, and what its requester needs there. */
export interface SignedUse extends Requester {
  readonly repoId: string;
  readonly permission: Permission;
}

/**
 * Creates the function that checks a signed URL when it is used: the credential with which it was requested must still be
 * valid and permit the same. Throws the same 404 for everything, so that whoever found the URL learns nothing.
 */
export function createSignedAccess({ read, findRequester, anonymousRead }: Dependencies) {
  async function principalOf({ userId, ...credential }: Requester): Promise<Principal | Anonymous | undefined> {
    if (userId !== undefined) return findRequester({ userId, ...credential });
    return anonymousRead ? ANONYMOUS : undefined;
  }

  async function requirePermission(principal: Principal | Anonymous, repo: Repository, permission: Permission) {
    if (await isGatedFor(read, principal, repo)) throw repositoryGone();
    await requireRepo(read, principal, repoFacts(repo), permission).catch((error: unknown) => {
      throw error instanceof HubError ? repositoryGone() : error;
    });
  }

  async function requireSigned({ repoId, permission, ...requester }: SignedUse) {
    const principal = await principalOf(requester);
    const repo = principal && (await findRepoById(read, repoId));
    if (!repo) throw repositoryGone();
    await requirePermission(principal, repo, permission);
    return { principal, repo };
  }

  return {
    requireSigned,

    /** The same for an upload; returns for whose quota the file counts. */
    async requireSignedUpload(use: SignedUse): Promise<ProposerId> {
      const { principal, repo } = await requireSigned(use);
      if (principal.userId === undefined) throw repositoryGone();
      return proposerIn(read, principal, repo, use.permission);
    },
  };
}
