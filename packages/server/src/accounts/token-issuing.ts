import type { FineGrained, TokenRole } from '@moonbase/contract/accounts/profiles';
import type { Clock } from '../platform/clock.ts';
import { sqlFault } from '../platform/database/sql-errors.ts';
import type { Executor } from '../platform/database/transaction.ts';
import { conflict } from '../platform/http/errors.ts';
import type { Ids } from '../platform/ids.ts';
import { newAccessToken, sha256 } from '../platform/secrets.ts';
import { fineGrainedText, insertToken, insertTokens } from './store.ts';
import type { TokenRow } from './tables.ts';

export interface NewToken {
  readonly userId: string;
  readonly displayName: string;
  readonly role: TokenRole;
  /** The text of the token; absent: a new one is generated. */
  readonly token?: string | undefined;
  readonly fineGrained?: FineGrained | undefined;
  /** In epoch milliseconds; absent: the token does not expire. */
  readonly expiresAt?: number | undefined;
  /** Nobody receives the text of the token, because another credential represents it. */
  readonly withoutText?: true | undefined;
  /** The token with which this token is made, if any. */
  readonly madeBy?: string | undefined;
}

/** A token with its text, which is shown only once. */
export interface IssuedToken {
  readonly row: TokenRow;
  readonly token: string;
}

/** Creates the functions that issue access tokens. */
export function createTokenIssuing({ clock, ids }: { readonly clock: Clock; readonly ids: Ids }) {
  /** Issues an access token and returns its text, which is not stored. Throws 409 if the token exists. */
  async function createToken(tx: Executor, given: NewToken): Promise<string> {
    return (await issueToken(tx, given)).token;
  }

  function tokenOf(given: NewToken): IssuedToken {
    const token = given.token ?? newAccessToken();
    const row: TokenRow = {
      id: ids(),
      user_id: given.userId,
      display_name: given.displayName,
      role: given.role,
      fine_grained: given.role === 'fineGrained' ? fineGrainedText(given.fineGrained) : null,
      hash: sha256(token),
      last4: given.withoutText ? '' : token.slice(-4),
      created_at: clock.now(),
      expires_at: given.expiresAt ?? null,
    };
    return { row, token };
  }

  async function issueToken(tx: Executor, given: NewToken): Promise<IssuedToken> {
    const issued = tokenOf(given);
    await insertToken(tx, { ...issued.row, made_by: given.madeBy ?? null }).catch((error: unknown) => {
      throw sqlFault(error) === 'unique' ? conflict('This access token already exists') : error;
    });
    return issued;
  }

  /** Issues many access tokens in a few statements; returns each with its text, in order. */
  async function createTokens(tx: Executor, given: readonly Omit<NewToken, 'madeBy'>[]): Promise<IssuedToken[]> {
    const issued = given.map(tokenOf);
    await insertTokens(
      tx,
      issued.map(({ row }) => row),
    ).catch((error: unknown) => {
      throw sqlFault(error) === 'unique' ? conflict('One of the access tokens already exists') : error;
    });
    return issued;
  }

  return { createToken, createTokens, issueToken };
}
