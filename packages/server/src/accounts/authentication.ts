import type { TokenRole } from '@moonbase/contract/accounts/profiles';
import type { Expression } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/transaction.ts';
import type { Principal } from '../platform/http/authenticate.ts';
import { sha256 } from '../platform/secrets.ts';
import { callerByHash, fineGrainedFrom, touchToken } from './store.ts';

export interface CutOffRules {
  /** A column of the authentication query. */
  readonly column: Expression<string | null>;
  /** Parses the value of the column. */
  read(text: string | null): Principal['token']['cutOff'];
}

/** The minimum interval between two updates of `lastUsedAt`, which limits the writes that a busy token causes. */
const MIN_USE_INTERVAL_MS = 60 * 60 * 1000;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  /** The rules of organizations about tokens. */
  readonly cutOffs: CutOffRules;
}

/** An access token as the queries of authentication read it. */
interface TokenColumns {
  readonly id: string;
  readonly role: TokenRole;
  readonly last4: string;
  readonly fineGrained: string | null;
  readonly expiresAt: number | null;
  /** The value of the column of `CutOffRules`. */
  readonly cutOffs: string | null;
}

/** Returns the rights of a caller by an access token, whether the request or its session provides the token. */
export function principalToken(row: TokenColumns, rules: Pick<CutOffRules, 'read'>): Principal['token'] {
  const { id, role, last4, expiresAt } = row;
  const fineGrained = fineGrainedFrom(row.fineGrained);
  const cutOff = rules.read(row.cutOffs);
  return {
    id,
    role,
    last4,
    ...(expiresAt !== null && { expiresAt }),
    ...(fineGrained && { fineGrained }),
    ...(cutOff && { cutOff }),
  };
}

/** Records the use of a token, unless a use was recorded recently. */
export async function recordTokenUse(
  database: Database,
  clock: Clock,
  { id, lastUsedAt }: { readonly id: string; readonly lastUsedAt: number | null },
): Promise<void> {
  const stale = clock.now() - MIN_USE_INTERVAL_MS;
  if (lastUsedAt === null || lastUsedAt <= stale)
    await database.transaction((tx) => touchToken(tx, id, clock.now(), stale));
}

/**
 * Creates the function that returns the principal of an access token; undefined for an unknown or expired token and for
 * a disabled user.
 */
export function createAuthentication({ database, clock, cutOffs }: Dependencies) {
  const findCaller = callerByHash(cutOffs.column);
  return async (token: string): Promise<Principal | undefined> => {
    const [row] = await findCaller(database.read, { hash: sha256(token), now: clock.now() });
    if (!row) return undefined;
    await recordTokenUse(database, clock, row);
    return {
      userId: row.userId,
      userName: row.userName,
      siteAdmin: row.siteAdmin === 1,
      token: principalToken(row, cutOffs),
    };
  };
}
