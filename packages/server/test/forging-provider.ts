import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, exportSPKI, generateKeyPair, SignJWT } from 'jose';
import type { Clock } from '../src/platform/clock.ts';

export type ForgedClaims = Readonly<Record<string, unknown>>;
export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export const CLIENT = { id: 'moonbase', secret: 'the secret of the hub at the provider' };

/** Creates a pair of keys in the form of a provider. */
export async function makeKey(kid: string = randomUUID()) {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
  return {
    kid,
    privateKey,
    pem: await exportSPKI(publicKey),
    jwk: { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' },
  };
}
export type ForgedKey = Awaited<ReturnType<typeof makeKey>>;

const oneKey = makeKey('first');

/** Starts an OpenID provider that returns anything a test wants, in forged tokens. */
export async function startForgingProvider(clock: Clock) {
  const seconds = () => Math.floor(clock.now() / 1000);
  const key = await oneKey;
  const issued = new Map<string, { readonly challenge: string; readonly token: () => Promise<string> }>();
  const asked: string[] = [];
  const state = {
    keys: [key] as ForgedKey[],
    /** The responses that replace the usual ones, by path. */
    answers: new Map<string, Answer>(),
    /** Additional fields of the discovery document. */
    document: {} as Record<string, unknown>,
    userInfo: {} as ForgedClaims,
  };
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    asked.push(path);
    const send = (body: unknown, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const other = state.answers.get(path);
    if (other) return other(request, response);
    if (path === '/.well-known/openid-configuration') return send(document());
    if (path === '/jwks') return send({ keys: state.keys.map(({ jwk }) => jwk) });
    if (path === '/userinfo') return send(state.userInfo);
    if (path !== '/token') return send({}, 404);
    let text = '';
    request.on('data', (piece) => {
      text += String(piece);
    });
    request.on('end', () => void exchange(new URLSearchParams(text), request, send));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${port}`;

  const document = () => ({
    ...{ issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` },
    ...{ jwks_uri: `${issuer}/jwks`, response_types_supported: ['code'], subject_types_supported: ['public'] },
    id_token_signing_alg_values_supported: ['RS256'],
    authorization_response_iss_parameter_supported: true,
    ...state.document,
  });

  /** Redeems a code, which works once, for the holder of the verifier and the secret. */
  async function exchange(
    form: URLSearchParams,
    request: IncomingMessage,
    send: (body: unknown, status?: number) => void,
  ) {
    const code = issued.get(form.get('code') ?? '');
    issued.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const basic = `Basic ${Buffer.from(`${CLIENT.id}:${encodeURIComponent(CLIENT.secret).replaceAll('%20', '+')}`).toString('base64')}`;
    if (code?.challenge !== challenge || request.headers.authorization !== basic)
      return send({ error: 'invalid_grant' }, 400);
    send({ access_token: 'at', token_type: 'Bearer', id_token: await code.token() });
  }

  const claimsFor = (person: ForgedClaims): ForgedClaims => ({
    ...{ iss: issuer, aud: CLIENT.id, iat: seconds(), exp: seconds() + 300 },
    ...person,
  });
  const sign = (claims: ForgedClaims, { kid, privateKey } = key, typ = 'JWT'): Promise<string> =>
    new SignJWT({ ...claims }).setProtectedHeader({ alg: 'RS256', kid, typ }).sign(privateKey);

  return {
    ...{ issuer, key, state, asked, claimsFor, sign, seconds },
    settings: {
      MOONBASE_OIDC_ISSUER: issuer,
      MOONBASE_OIDC_CLIENT_ID: CLIENT.id,
      MOONBASE_OIDC_CLIENT_SECRET: CLIENT.secret,
      MOONBASE_OIDC_NAME: 'Example Login',
    },

    /**
     * Lets a person sign in at the address that the hub redirected the browser to; returns the path that the browser
     * comes back to. `forge` replaces the token, given the usual claims.
     */
    authorize(
      url: string,
      person: ForgedClaims,
      forge: (claims: ForgedClaims) => string | Promise<string> = (claims) => sign(claims),
    ): string {
      const { searchParams } = new URL(url);
      const code = randomUUID();
      const claims = { nonce: searchParams.get('nonce'), ...person };
      issued.set(code, {
        challenge: searchParams.get('code_challenge') ?? '',
        token: async () => forge(claimsFor(claims)),
      });
      const back = new URL(searchParams.get('redirect_uri') ?? '');
      back.search = new URLSearchParams({ code, state: searchParams.get('state') ?? '', iss: issuer }).toString();
      return back.pathname + back.search;
    },

    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
export type ForgingProvider = Awaited<ReturnType<typeof startForgingProvider>>;
