import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, type GenerateKeyPairResult, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

/** Starts an OpenID provider that signs any given claims, as a CI service does for its jobs. */
export async function startTokenIssuer({ algorithm = 'RS256' }: { readonly algorithm?: string } = {}) {
  const makeKey = async (kid: string) => ({ kid, ...(await generateKeyPair(algorithm, { extractable: true })) });
  let key = await makeKey('first');
  const asked: string[] = [];
  let isDown = false;
  const documentAt = async (path: string): Promise<unknown> => {
    const url = issuer();
    if (path === '/.well-known/openid-configuration') return { issuer: url, jwks_uri: `${url}/jwks` };
    return { keys: [{ ...(await exportJWK(key.publicKey)), kid: key.kid, alg: algorithm, use: 'sig' }] };
  };
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    response.statusCode = isDown ? 503 : 200;
    response.setHeader('content-type', 'application/json');
    void documentAt(path).then((document) => response.end(JSON.stringify(document)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: issuer(),
    /** The paths of all requests. */
    asked,
    publicKey: () => exportJWK(key.publicKey),
    /** Signs a token; `header` and `signer` replace the issuer's own. */
    sign(
      claims: JWTPayload,
      more: { readonly kid?: string; readonly with?: GenerateKeyPairResult['privateKey'] } = {},
    ) {
      const token = new SignJWT({ iss: issuer(), ...claims });
      return token.setProtectedHeader({ alg: algorithm, kid: more.kid ?? key.kid }).sign(more.with ?? key.privateKey);
    },
    async rotate(): Promise<void> {
      key = await makeKey('second');
    },
    setDown(value: boolean): void {
      isDown = value;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
