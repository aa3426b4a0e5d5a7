import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

const SECRET = 'a secret of the hub, with blanks & signs';

/** Starts `oidc-provider` with one client, the hub; everybody can sign in, with any name and any password. */
export async function startCertifiedProvider() {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${port}`;
  return {
    issuer,
    /** The settings of a hub that uses the provider. */
    settings: {
      ...{ MOONBASE_OIDC_ISSUER: issuer, MOONBASE_OIDC_CLIENT_ID: 'moonbase', MOONBASE_OIDC_CLIENT_SECRET: SECRET },
      MOONBASE_OIDC_SCOPES: 'openid profile email groups',
    },
    /** Registers a hub, whose address is known by now. */
    serve(hubUrl: string) {
      const client = {
        ...{ client_id: 'moonbase', client_secret: SECRET, redirect_uris: [`${hubUrl}/login/oidc/callback`] },
        backchannel_logout_uri: `${hubUrl}/login/oidc/backchannel-logout`,
        backchannel_logout_session_required: true,
      };
      const provider = new Provider(issuer, {
        clients: [client],
        cookies: { keys: ['a key of the tests'] },
        claims: {
          openid: ['sub'],
          email: ['email', 'email_verified'],
          profile: ['name', 'preferred_username'],
          groups: ['groups'],
        },
        findAccount: (_context: unknown, sub: string) => ({
          accountId: sub,
          claims: () => ({
            ...{ sub, name: `The person ${sub}`, preferred_username: sub, groups: ['hub-admins'] },
            ...{ email: `${sub}@acme.com`, email_verified: true },
          }),
        }),
        features: { devInteractions: { enabled: true }, backchannelLogout: { enabled: true } },
        // The provider's own fetch silently refuses addresses of this machine.
        fetch: (url: string, { method = 'GET', headers, body = null }: RequestInit) =>
          fetch(url, { method, body, ...(headers && { headers }) }),
      });
      server.on('request', provider.callback());
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
