import { randomBytes } from 'node:crypto';
import type { OauthTokens } from '@moonbase/contract/oauth/protocol';
import { updateToken } from '../../accounts/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Executor } from '../../platform/database/transaction.ts';
import { newAccessToken, sha256 } from '../../platform/secrets.ts';
import { parseJson } from '../../platform/stored-form.ts';
import type { App } from '../apps/app.ts';
import type { GrantRow, OauthTokenRow } from '../tables.ts';
import { insertOauthTokens } from './token-store.ts';

/** The prefix of applications' access tokens; personal tokens contain no second underscore. */
export const OAUTH_PREFIX = 'hf_oauth_';

/** How long a refresh token is valid; each use yields a new one, so programs in use stay logged in. */
const REFRESH_MS = 90 * 24 * 60 * 60 * 1000;

interface Issue {
  readonly app: Pick<App, 'tokenMinutes'>;
  readonly grant: Pick<GrantRow, 'id' | 'scopes'>;
  /** Whether to issue a refresh token with the access token. */
  readonly refreshable: boolean;
  /** The hash of the exchanged refresh token. */
  readonly predecessor?: string;
}

export type IssueTokens = ReturnType<typeof createTokenIssuing>;

/** Creates the function that issues tokens for a grant, in the transaction that authenticated the request. */
export const createTokenIssuing =
  ({ clock }: { readonly clock: Clock }) =>
  async (tx: Executor, { app, grant, refreshable, predecessor }: Issue): Promise<OauthTokens> => {
    const now = clock.now();
    const lastsMs = app.tokenMinutes * 60_000;
    const access = OAUTH_PREFIX + newAccessToken().slice(3);
    const refresh = refreshable ? `hf_refresh_${randomBytes(32).toString('base64url')}` : undefined;
    const row = (kind: OauthTokenRow['kind'], text: string, expiresAt: number): OauthTokenRow => ({
      hash: sha256(text),
      kind,
      grant_id: grant.id,
      predecessor: predecessor ?? null,
      created_at: now,
      expires_at: expiresAt,
      used_at: null,
      replaced_at: null,
    });
    await insertOauthTokens(tx, [
      row('access', access, now + lastsMs),
      ...(refresh === undefined ? [] : [row('refresh', refresh, now + REFRESH_MS)]),
    ]);
    // Organizations that limit the lifetime of tokens compare it with the time from creation to this expiry.
    await updateToken(tx, grant.id, { expires_at: now + lastsMs });
    return {
      access_token: access,
      token_type: 'bearer',
      expires_in: lastsMs / 1000,
      scope: parseJson(grant.scopes).join(' '),
      ...(refresh !== undefined && { refresh_token: refresh }),
    };
  };
