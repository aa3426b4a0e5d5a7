import type { TokenRole } from '@moonbase/contract/accounts/profiles';
import {
  type Accounts,
  auditedToken,
  findToken,
  lockAccountNamed,
  requireEnabledUser,
  type TokenRow,
} from '../../accounts/index.ts';
import { type AuditLog, operatorWith, recordForSite } from '../../audit-log/index.ts';
import { timestamp } from '../../platform/clock.ts';
import type { Database, Executor } from '../../platform/database/transaction.ts';
import type { Events } from '../../platform/events/events.ts';
import type { Actor } from '../../platform/http/actor.ts';
import { conflict } from '../../platform/http/errors.ts';
import { signInTopic } from '../events.ts';

interface Dependencies {
  readonly database: Database;
  readonly events: Events;
  readonly audit: AuditLog;
  readonly accounts: Pick<Accounts, 'issueToken'>;
  /** Called for each new token, in its transaction. */
  readonly onTokenCreated: (tx: Executor, actor: Actor, token: TokenRow) => Promise<void>;
}

interface WantedToken {
  readonly user: string;
  readonly displayName: string;
  readonly role: Exclude<TokenRole, 'fineGrained'>;
  /** In epoch milliseconds; undefined: the token does not expire. */
  readonly expiresAt: number | undefined;
}

/** A token with its text, which is shown only once. */
export interface OperatorToken {
  readonly user: string;
  readonly displayName: string;
  readonly role: TokenRole;
  readonly token: string;
  readonly expiresAt?: string;
}

const USER_AGENT = 'moonbase admin token';

/**
 * Creates the function that makes an access token for a user, for an operator with access to the database. Organizations
 * decide about the token as about any other. Throws 404 for an unknown user, 409 for a disabled one and for a name that a
 * token of the user has.
 */
export const createOperatorTokens =
  ({ database, events, audit, accounts, onTokenCreated }: Dependencies) =>
  ({ user: name, displayName, role, expiresAt }: WantedToken): Promise<OperatorToken> =>
    database.transaction(async (tx) => {
      const { id: userId, name: userName } = requireEnabledUser(await lockAccountNamed(tx, name), name);
      if (await findToken(tx, userId, displayName))
        throw conflict(`${userName} already has a token named ${displayName}`);
      const { row, token } = await accounts.issueToken(tx, { userId, displayName, role, expiresAt });
      const { id, last4 } = row;
      const principal = { userId, userName, token: { id, role, last4 } };
      await onTokenCreated(tx, { principal, address: '', userAgent: USER_AGENT }, row);
      await events.record(tx, signInTopic, { action: 'token-made', userId, by: 'operator', last4 });
      const message = `Made the access token ${displayName} of ${userName}`;
      const data = auditedToken({ id: userId, name: userName }, row);
      await recordForSite(audit, tx, operatorWith(USER_AGENT), { type: 'token.create', message, data });
      const end = expiresAt === undefined ? {} : { expiresAt: timestamp(expiresAt) };
      return { user: userName, displayName, role, token, ...end };
    });
