import { type Standing, standingOf } from '../../accounts/index.ts';
import type { Principal } from '../../platform/http/authenticate.ts';
import type { JobRow } from '../tables.ts';

/** Who creates a job or a schedule: a user, by name, and the access token by which, unless it was in a browser session. */
export interface Creator {
  readonly id: string;
  readonly name: string;
  readonly tokenId: string | null;
}

export const creatorOf = (principal: Principal): Creator => ({
  id: principal.userId,
  name: principal.userName,
  tokenId: standingOf(principal).tokenId,
});

/** On whose behalf a launched job goes on. */
export interface LaunchStanding extends Standing {
  /** When the access token must not have expired: at the launch. */
  readonly validAt: number;
}

/**
 * Returns on whose behalf a launched job goes on: an access token that has been deleted or revoked since stops it, one that
 * has expired does not, since a job may last longer than the token that launched it.
 */
export const launchStanding = (job: Pick<JobRow, 'created_by' | 'token_id' | 'created_at'>): LaunchStanding => ({
  userId: job.created_by,
  tokenId: job.token_id,
  validAt: job.created_at,
});
