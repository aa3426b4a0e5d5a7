import { errors, jwtVerify } from 'jose';
import * as client from 'openid-client';
import type { Clock } from '../../platform/clock.ts';
import { type KeySets, PUBLIC_KEY_ALGORITHMS } from '../../platform/outbound/key-sets.ts';
import type { Documents } from './documents.ts';
import type { Provider } from './provider.ts';
import type { ProviderFetch } from './provider-fetch.ts';

interface Dependencies {
  readonly clock: Clock;
  readonly documents: Documents;
  readonly keySets: KeySets;
}

/** The claims of a provider about a person. */
export type Claims = Readonly<Record<string, unknown>>;

/** The values that a sign-in began with and that its response must match. */
export interface Checks {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly redirectUri: string;
}

/** The signature algorithms; `Ed25519` is the newer name for one form of `EdDSA` (RFC 9864). */
const ALGORITHMS = [...PUBLIC_KEY_ALGORITHMS, 'Ed25519'];
export const CLOCK_TOLERANCE_SECONDS = 60;
/** The maximum age of an id token, which is issued for a single sign-in. */
const MAX_AGE_SECONDS = 600;

export type Openid = ReturnType<typeof createOpenid>;

/**
 * OpenID Connect as a relying party: openid-client speaks the protocol, `jose` checks signatures, the hub's guard
 * connects.
 */
export function createOpenid({ clock, documents, keySets }: Dependencies) {
  const { serverOf, fetchFor, customFetch, execute } = documents;

  async function configurationOf(provider: Provider): Promise<client.Configuration> {
    const { clientId, clientSecret } = provider;
    const server = await serverOf(provider);
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const authentication =
      clientSecret === undefined
        ? client.None()
        : (methods.includes('client_secret_basic') ? client.ClientSecretBasic : client.ClientSecretPost)(clientSecret);
    const times = {
      // openid-client reads the system clock, so the skew makes it follow the clock of the hub.
      [client.clockSkew]: Math.round((clock.now() - Date.now()) / 1000),
      [client.clockTolerance]: CLOCK_TOLERANCE_SECONDS,
    };
    const configuration = new client.Configuration(server, clientId, times, authentication);
    configuration[client.customFetch] = customFetch(provider);
    for (const extend of execute(provider)) extend(configuration);
    return configuration;
  }

  /** Verifies a token that a provider signed for the hub. Returns its claims. */
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

    /** Returns the URL at which a person signs in. `again`: the provider must ask even if it knows the person. */
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

    /** Exchanges the parameters of a callback for tokens. Returns the provider's claims about the person. */
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
          // A response about another person is refused; if the endpoint does not respond, the id token suffices.
          if (error instanceof client.ClientError && error.code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED')
            throw error;
          return {};
        });
      return { ...info, ...claims };
    },
  };
}

/** Returns the key set of a provider as JSON. */
export async function fetchKeys(url: string, fetch: ProviderFetch): Promise<unknown> {
  const answer = await fetch(url, { method: 'GET', headers: { accept: 'application/json' } });
  if (answer.status !== 200)
    throw new Error(`The key set of the provider could not be fetched: the status is ${answer.status}`);
  return answer.json();
}

/** Throws if a token was issued for another client, or for several without naming this one as authorized. */
function requireParty({ aud, azp }: Claims, clientId: string): void {
  const isForMany = Array.isArray(aud) && aud.length > 1;
  if (azp === undefined ? isForMany : azp !== clientId)
    throw new errors.JWTClaimValidationFailed('unexpected "azp" claim value', {}, 'azp', 'check_failed');
}
