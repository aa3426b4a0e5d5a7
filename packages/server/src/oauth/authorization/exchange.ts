import { createHash } from 'node:crypto';
import type { OauthTokens } from '@moonbase/contract/oauth/protocol';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Executor } from '../../platform/database/transaction.ts';
import { sha256 } from '../../platform/secrets.ts';
import { parseJson } from '../../platform/stored-form.ts';
import type { App } from '../apps/app.ts';
import { findClient } from '../apps/clients.ts';
import { lockCode, updateCode } from '../code-store.ts';
import { invalidClient, invalidCode } from '../errors.ts';
import { findGrant, findUsableGrant } from '../grants/grant-store.ts';
import type { Grants } from '../grants/service.ts';
import type { IdTokens } from '../openid/id-tokens.ts';
import type { CodeRow } from '../tables.ts';
import type { IssueTokens } from '../tokens/issuing.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly grants: Grants;
  readonly issue: IssueTokens;
  readonly idTokens: IdTokens;
}

/** The parameters of a code exchange. */
interface Exchange {
  /** The application, if the request names one; otherwise the code identifies it (I§1.7). */
  readonly app: App | undefined;
  readonly code: string;
  readonly redirectUri: string | undefined;
  readonly verifier: string | undefined;
  readonly issuer: string;
}

/** Creates the function that exchanges an authorization code for tokens, once; a second exchange ends the grant. */
export function createExchange({ database, clock, grants, issue, idTokens }: Dependencies) {
  async function outcome(tx: Executor, { app, code: text, redirectUri, verifier }: Exchange) {
    const code = await lockCode(tx, 'authorization', sha256(text));
    if (!code || code.grant_id === null || (app && app.clientId !== code.client_id)) return undefined;
    if (code.status === 'spent') {
      const grant = await findGrant(tx, code.grant_id);
      if (grant) await grants.end(tx, grant);
      return undefined;
    }
    const known = app ?? (await findClient(tx, code.client_id));
    if (!known || code.expires_at <= clock.now() || code.redirect_uri !== redirectUri) return undefined;
    if (!app && known.secretHash !== null) throw invalidClient();
    if (!proves(code, verifier)) return undefined;
    const grant = await findUsableGrant(tx, code.grant_id);
    if (!grant) return undefined;
    await updateCode(tx, code.hash, { status: 'spent' });
    return {
      code,
      grant,
      app: known,
      tokens: await issue(tx, { app: known, grant, refreshable: known.secretHash !== null }),
    };
  }

  return async (exchange: Exchange): Promise<OauthTokens> => {
    const result = await database.transaction((tx) => outcome(tx, exchange));
    if (!result) throw invalidCode();
    const { code, grant, app, tokens } = result;
    if (!parseJson(grant.scopes).includes('openid')) return tokens;
    const id_token = await idTokens.sign({
      grant,
      clientId: app.clientId,
      issuer: exchange.issuer,
      nonce: code.nonce,
      authAt: code.auth_at,
    });
    return { ...tokens, id_token };
  };
}

/** Returns whether a verifier matches the challenge that the application sent earlier (RFC 7636). */
const proves = ({ challenge }: Pick<CodeRow, 'challenge'>, verifier: string | undefined): boolean =>
  challenge === null
    ? verifier === undefined
    : verifier !== undefined && createHash('sha256').update(verifier).digest('base64url') === challenge;
