import type { OauthTokens } from '@moonbase/contract/oauth/protocol';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Executor } from '../../platform/database/transaction.ts';
import type { HubError } from '../../platform/http/errors.ts';
import { sha256 } from '../../platform/secrets.ts';
import type { App } from '../apps/app.ts';
import { lockCode, updateCode } from '../code-store.ts';
import { invalidCode, oauthError } from '../errors.ts';
import { findUsableGrant } from '../grants/grant-store.ts';
import type { CodeRow } from '../tables.ts';
import type { IssueTokens } from '../tokens/issuing.ts';
import { POLL_SECONDS } from './begin.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly issue: IssueTokens;
}

const denied = () => oauthError('access_denied', 'The login was refused');

/** Creates the function that reports the state of a login and, once the user has consented, issues tokens once. */
export function createPolling({ database, clock, issue }: Dependencies) {
  /** Records a poll of a pending code. A program that polls too often has to wait longer from then on. */
  async function pending(tx: Executor, code: CodeRow): Promise<HubError> {
    const now = clock.now();
    const { polled_at: before, interval_seconds: seconds } = code;
    const isTooFast = before !== null && now - before < seconds * 1000;
    const interval = isTooFast ? seconds + POLL_SECONDS : seconds;
    await updateCode(tx, code.hash, { polled_at: now, interval_seconds: interval });
    return isTooFast
      ? oauthError('slow_down', `Ask every ${interval} seconds`)
      : oauthError('authorization_pending', 'The login has not been approved or denied yet');
  }

  async function outcome(tx: Executor, app: App, deviceCode: string): Promise<OauthTokens | HubError> {
    const code = await lockCode(tx, 'device', sha256(deviceCode));
    if (!code || code.client_id !== app.clientId || code.status === 'spent') return invalidCode();
    if (code.status === 'denied') return denied();
    if (code.expires_at <= clock.now()) return oauthError('expired_token', 'The login took too long; begin again');
    if (code.status === 'pending') return pending(tx, code);
    const grant = code.grant_id !== null && (await findUsableGrant(tx, code.grant_id));
    if (!grant) return denied();
    await updateCode(tx, code.hash, { status: 'spent' });
    return issue(tx, { app, grant, refreshable: true });
  }

  return async (app: App, deviceCode: string): Promise<OauthTokens> => {
    // The transaction commits the recorded poll even if the response is an error.
    const result = await database.transaction((tx) => outcome(tx, app, deviceCode));
    if (result instanceof Error) throw result;
    return result;
  };
}
