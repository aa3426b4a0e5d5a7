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

/** Begins the tokens of applications: personal ones have no second underscore. */
export const OAUTH_PREFIX = 'hf_oauth_';

/** How long a refresh token is good from when it was made: programs that are used go on without end. */
const REFRESH_MS = 90 * 24 * 60 * 60 * 1000;

interface Issue {
  readonly app: Pick<App, 'tokenMinutes'>;
  readonly grant: Pick<GrantRow, 'id' | 'scopes'>;
  /** Whether a refresh token comes with the access token. */
  readonly refreshable: boolean;
  /** The hash of the refresh token that is exchanged. */
  readonly predecessor?: string;
}

export type IssueTokens = ReturnType<typeof createTokenIssuing>;

/** Makes the function that makes tokens of a grant, in the transaction that has proved who asks for them. */
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
    // From its making to here is how long the grant lives, for organizations that limit that.
    await updateToken(tx, grant.id, { expires_at: now + lastsMs });
    return {
      access_token: access,
      token_type: 'bearer',
      expires_in: lastsMs / 1000,
      scope: parseJson(grant.scopes).join(' '),
      ...(refresh !== undefined && { refresh_token: refresh }),
    };
  };
