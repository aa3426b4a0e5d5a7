import { errors, jwtVerify } from 'jose';
import * as client from 'openid-client';
import type { Clock } from '../../platform/clock.ts';
import { type KeySets, PUBLIC_KEY_ALGORITHMS } from '../../platform/outbound/key-sets.ts';
import { createDocuments } from './documents.ts';
import type { Provider } from './provider.ts';
import type { ProviderFetch } from './provider-fetch.ts';

interface Dependencies {
  readonly clock: Clock;
  readonly fetchOf: (isTrusted: boolean) => ProviderFetch;
  readonly keySets: KeySets;
}

/** What a provider says of a person. */
export type Claims = Readonly<Record<string, unknown>>;

/** What one sign-in was begun with, and is held against. */
export interface Checks {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly redirectUri: string;
}

/** `Ed25519` is the newer name of a signature that `EdDSA` has, too (RFC 9864). */
const ALGORITHMS = [...PUBLIC_KEY_ALGORITHMS, 'Ed25519'];
export const CLOCK_TOLERANCE_SECONDS = 60;
/** An id token is made for the sign-in that it belongs to. */
const MAX_AGE_SECONDS = 600;

export type Openid = ReturnType<typeof createOpenid>;

/** OpenID Connect as a relying party: openid-client speaks it, `jose` checks signatures, and the hub's guard connects. */
export function createOpenid({ clock, fetchOf, keySets }: Dependencies) {
  const { serverOf, fetchFor, customFetch, execute } = createDocuments({ clock, fetchOf });

  async function configurationOf(provider: Provider): Promise<client.Configuration> {
    const { clientId, clientSecret } = provider;
    const server = await serverOf(provider);
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const authentication =
      clientSecret === undefined
        ? client.None()
        : (methods.includes('client_secret_basic') ? client.ClientSecretBasic : client.ClientSecretPost)(clientSecret);
    const times = {
      // The client reads the clock of the system.
      [client.clockSkew]: Math.round((clock.now() - Date.now()) / 1000),
      [client.clockTolerance]: CLOCK_TOLERANCE_SECONDS,
    };
    const configuration = new client.Configuration(server, clientId, times, authentication);
    configuration[client.customFetch] = customFetch(provider);
    for (const extend of execute(provider)) extend(configuration);
    return configuration;
  }

  /** Checks a token that a provider has signed for the hub. Returns what it says. */
  async function verify(
    provider: Provider,
    token: string,
    more: { readonly typ?: string; readonly maxTokenAge: number },
  ): Promise<Claims> {
    const server = await serverOf(provider);
    const { jwks_uri: url } = server;
    if (url === undefined) throw new Error('The provider publishes no keys');
    const keys = keySets.of(url, () => fetchKeys(url, fetchFor(provider)));
    const { payload } = await jwtVerify(token, keys, {
      ...more,
      ...{ algorithms: ALGORITHMS, issuer: server.issuer, audience: provider.clientId },
      ...{ currentDate: new Date(clock.now()), clockTolerance: CLOCK_TOLERANCE_SECONDS },
    });
    return payload;
  }

  return {
    verify,

    /** Returns where a person signs in, for a sign-in that is begun. `again`: even where the provider knows the person. */
    async authorizationUrl(provider: Provider, checks: Checks, again: boolean): Promise<string> {
      const configuration = await configurationOf(provider);
      const scopes = new Set(['openid', ...provider.scopes.split(/\s+/).filter(Boolean)]);
      const url = client.buildAuthorizationUrl(configuration, {
        ...{ redirect_uri: checks.redirectUri, scope: [...scopes].join(' ') },
        ...{ state: checks.state, nonce: checks.nonce, code_challenge_method: 'S256' },
        code_challenge: await client.calculatePKCECodeChallenge(checks.verifier),
        ...(again && { prompt: 'login', max_age: '0' }),
      });
      return url.href;
    },

    /** Exchanges what a provider sent a browser back with. Returns what the provider says of the person. */
    async claimsFor(provider: Provider, callback: URL, checks: Checks, wanted: readonly string[]): Promise<Claims> {
      const configuration = await configurationOf(provider);
      const tokens = await client.authorizationCodeGrant(configuration, callback, {
        ...{ pkceCodeVerifier: checks.verifier, expectedState: checks.state, expectedNonce: checks.nonce },
        idTokenExpected: true,
      });
      const { id_token: idToken, access_token: accessToken } = tokens;
      if (idToken === undefined) throw new Error('The provider sent no id token');
      const claims = await verify(provider, idToken, { maxTokenAge: MAX_AGE_SECONDS });
      requireParty(claims, provider.clientId);
      const hasAll = wanted.every((name) => claims[name] !== undefined);
      if (hasAll || configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
      const info: Claims = await client
        .fetchUserInfo(configuration, accessToken, String(claims.sub))
        .catch((error: unknown) => {
          // A provider that answers for another person is not believed; one that does not answer has said enough.
          if (error instanceof client.ClientError && error.code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED')
            throw error;
          return {};
        });
      return { ...info, ...claims };
    },
  };
}

async function fetchKeys(url: string, fetch: ProviderFetch): Promise<unknown> {
  const answer = await fetch(url, { method: 'GET', headers: { accept: 'application/json' } });
  if (answer.status !== 200) throw new Error(`The keys of the provider were answered with ${answer.status}`);
  return answer.json();
}

/** Throws where a token was made for another client, beside the hub or in its place. */
function requireParty({ aud, azp }: Claims, clientId: string): void {
  const isForMany = Array.isArray(aud) && aud.length > 1;
  if (azp === undefined ? isForMany : azp !== clientId)
    throw new errors.JWTClaimValidationFailed('unexpected "azp" claim value', {}, 'azp', 'check_failed');
}
