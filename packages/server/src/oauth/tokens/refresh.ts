import type { OauthTokens } from '@moonbase/contract/oauth/protocol';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/transaction.ts';
import type { Events } from '../../platform/events/events.ts';
import { sha256 } from '../../platform/secrets.ts';
import type { App } from '../apps/app.ts';
import { invalidRefresh } from '../errors.ts';
import { grantTopic } from '../events.ts';
import { findUsableGrant } from '../grants/grant-store.ts';
import type { Grants } from '../grants/service.ts';
import type { IssueTokens } from './issuing.ts';
import { lockOauthToken, recordFirstUse } from './token-store.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly events: Events;
  readonly grants: Grants;
  readonly issue: IssueTokens;
}

/**
 * Creates the function that exchanges a refresh token for new tokens. A response can be lost, so the old token stays
 * valid until a new one is first used. A later use shows that two programs have the token, and ends the grant (I§6.4).
 */
export function createRefresh({ database, clock, events, grants, issue }: Dependencies) {
  return async (app: App, text: string, address: string): Promise<OauthTokens> => {
    const tokens = await database.transaction(async (tx) => {
      const now = clock.now();
      const token = await lockOauthToken(tx, sha256(text));
      const grant = token?.kind === 'refresh' && (await findUsableGrant(tx, token.grant_id));
      if (!grant || grant.client_id !== app.clientId || token.expires_at <= now) return undefined;
      if (token.replaced_at !== null) {
        const { user_id: userId, client_id: clientId } = grant;
        await grants.end(tx, grant);
        await events.record(tx, grantTopic, { action: 'reuse', userId, clientId, name: app.name, address });
        return undefined;
      }
      if (token.used_at === null) await recordFirstUse(tx, token, now);
      return issue(tx, { app, grant, refreshable: true, predecessor: token.hash });
    });
    if (!tokens) throw invalidRefresh();
    return tokens;
  };
}
