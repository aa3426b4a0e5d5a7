import { jobRole, mayCreate, tokenReachesJobs } from '../../access/index.ts';
import type { FindPrincipal, Standing } from '../../accounts/index.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import type { Principal } from '../../platform/http/authenticate.ts';

/** What a job is launched for, as a refusal names it. */
type What = 'this job' | 'the scheduled job' | 'the webhook';

interface Asked extends Standing {
  /** The account whose job it is. */
  readonly ownerId: string;
  readonly what: What;
  /** When the access token must not have expired; now by default. */
  readonly validAt?: number;
}

/** On whose behalf a job runs, or why it may not. */
type JobAuthority = { readonly principal: Principal } | { readonly refusal: string };

export type FindJobAuthority = ReturnType<typeof createJobAuthority>;

/**
 * Creates the function that returns on whose behalf a job runs, as of now: whoever created it, with no more rights than the
 * access token that was used has now.
 */
export const createJobAuthority =
  (principalOf: FindPrincipal) =>
  async (executor: ReadExecutor, { ownerId, what, validAt, userId, tokenId }: Asked): Promise<JobAuthority> => {
    if (!mayCreate(await jobRole(executor, userId, ownerId)))
      return { refusal: `Whoever created ${what} may no longer run jobs here` };
    const principal = await principalOf(executor, { userId, tokenId }, validAt);
    if (principal && tokenReachesJobs(principal, ownerId, 'write')) return { principal };
    return { refusal: `The access token with which ${what} was set up may no longer run jobs here` };
  };
