import type { Clock } from '../platform/clock.ts';
import type { ReadExecutor } from '../platform/database/transaction.ts';
import { isSignedInUser, type Principal } from '../platform/http/authenticate.ts';
import { type CutOffRules, principalToken } from './authentication.ts';
import { type Account, callerById, findAccountById } from './store.ts';

/** Who let the hub work on their behalf later: a user, and the access token by which, unless it was in a browser session. */
export interface Standing {
  readonly userId: string;
  readonly tokenId: string | null;
}

/** Returns what is to be stored of a caller on whose behalf the hub works later. */
export const standingOf = (principal: Principal): Standing => ({
  userId: principal.userId,
  tokenId: isSignedInUser(principal) ? null : principal.token.id,
});

/** `validAt` is when the access token must not have expired; now by default. */
export type FindPrincipal = (
  executor: ReadExecutor,
  standing: Standing,
  validAt?: number,
) => Promise<Principal | undefined>;

/** Returns a user as a principal with all rights of the user, but none of a site administrator. */
export const unlimited = ({ id, name }: Pick<Account, 'id' | 'name'>): Principal => ({
  ...{ userId: id, userName: name, siteAdmin: false },
  token: { id, role: 'write' },
});

interface Dependencies {
  readonly clock: Clock;
  /** The rules of organizations about tokens. */
  readonly cutOffs: CutOffRules;
}

/**
 * Creates the function that returns, as of now, the principal on whose behalf the hub works: no more than the same access
 * token would permit in a request. Undefined once the token is deleted or expired, or its user is disabled or deleted.
 */
export function createPrincipalLookup({ clock, cutOffs }: Dependencies): FindPrincipal {
  const findCaller = callerById(cutOffs.column);
  return async (executor, { userId, tokenId }, validAt = clock.now()) => {
    if (tokenId === null) {
      const user = await findAccountById(executor, userId);
      if (user?.kind !== 'user' || user.disabled_at !== null) return undefined;
      return unlimited(user);
    }
    const [row] = await findCaller(executor, { id: tokenId, now: validAt });
    if (row?.userId !== userId) return undefined;
    return { userId, userName: row.userName, siteAdmin: false, token: principalToken(row, cutOffs) };
  };
}
