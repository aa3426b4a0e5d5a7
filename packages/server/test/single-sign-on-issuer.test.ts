import { createAccessToken } from '@moonbase/client/access-tokens';
import { listAuditLog } from '@moonbase/client/audit-log';
import { testSingleSignOn } from '@moonbase/client/single-sign-on';
import { expect, test } from 'vitest';
import { ask } from './ask.ts';
import type { ForgingProvider } from './forging-provider.ts';
import { type Connection, collect, startHub, tokenOf } from './harness.ts';
import { startOrganizationProvider } from './organization-provider.ts';

const PATH = '/.well-known/openid-configuration';
const TEST = 'POST /api/organizations/acme/single-sign-on/test';

const tested = (caller: Connection, issuer: string) => testSingleSignOn({ ...caller, organization: 'acme', issuer });

/** Replaces the response of a provider to one path. */
const answer = ({ state }: ForgingProvider, path: string, status: number, body: string, headers: object = {}) =>
  state.answers.set(path, (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body),
  );

test('an admin tests an issuer; nothing is saved or recorded', async () => {
  await using here = await startOrganizationProvider();
  const { hub, provider, ada } = here;
  const row = () => hub.database.read.selectFrom('organization_providers').selectAll().executeTakeFirstOrThrow();
  const [before, log] = [await row(), await collect(listAuditLog({ ...ada, name: 'acme' }))];
  expect(await tested(ada, provider.issuer)).toEqual({
    works: true,
    message: `${provider.issuer} responds as an OpenID provider`,
  });
  expect(provider.asked).toEqual([PATH, '/jwks']);
  expect([await row(), await collect(listAuditLog({ ...ada, name: 'acme' }))]).toEqual([before, log]);
});

test('one sentence says what is wrong with an issuer, whatever the issuer sends', async () => {
  await using here = await startOrganizationProvider();
  const { hub, provider, ada, clock } = here;
  const fault = async (issuer = provider.issuer) => {
    // An issuer that failed is contacted again after five seconds.
    clock.advance(6_000);
    const { works, message } = await tested(ada, issuer);
    expect(works).toBe(false);
    return message;
  };
  answer(provider, PATH, 404, '{}');
  expect(await fault()).toBe('The discovery document of the issuer cannot be fetched: the status is 404');
  answer(provider, PATH, 302, '', { location: `${hub.url}/api/whoami-v2` });
  expect(await fault()).toBe('The discovery document of the issuer cannot be fetched: the status is 302');
  for (const body of ['<html>Welcome</html>', 'null', '[]', '{"issuer": 7}', '']) {
    answer(provider, PATH, 200, body);
    expect(await fault()).toBe('The discovery document of the issuer does not follow OpenID Connect Discovery');
  }
  answer(provider, PATH, 200, JSON.stringify({ issuer: `https://other.example/\n${'x'.repeat(5_000)}` }));
  expect(await fault()).toMatch(
    /^The provider names the issuer https:\/\/other\.example\/ x{100,300}: if you trust it, enter that one$/,
  );
  answer(provider, PATH, 200, `"${'x'.repeat(300_000)}"`);
  expect(await fault()).toBe(
    'The discovery document of the issuer cannot be fetched: The answer is larger than 262144 bytes',
  );
  provider.state.answers.set(PATH, (request) => request.socket.destroy());
  expect(await fault()).toMatch(/^The discovery document of the issuer cannot be fetched: The connection was closed/);
  provider.state.answers.clear();
  provider.state.document = { token_endpoint: undefined };
  expect(await fault()).toBe('The discovery document of the issuer has no token_endpoint');
  provider.state.document = { authorization_endpoint: 'somewhere' };
  expect(await fault()).toBe('The authorization_endpoint in the discovery document of the issuer is not an https URL');
  provider.state.document = { jwks_uri: 'http://169.254.169.254/keys' };
  expect(await fault()).toMatch(/^The key set of the issuer cannot be fetched: /);
  provider.state.document = {};
  for (const keys of ['{"keys": []}', '{}', 'no JSON']) {
    answer(provider, '/jwks', 200, keys);
    expect(await fault()).toBe('The key set of the issuer has no keys, or is not JSON');
  }
  answer(provider, '/jwks', 500, '{}');
  expect(await fault()).toBe('The key set of the issuer has no keys, or is not JSON');
  expect(await fault(`${provider.issuer}/`)).toContain(`The provider names the issuer ${provider.issuer}`);
});

test('an issuer that failed is left alone for five seconds, however often it is tested', async () => {
  await using here = await startOrganizationProvider();
  const { provider, ada, clock } = here;
  answer(provider, PATH, 500, '{}');
  for (let at = 0; at < 5; at++) expect((await tested(ada, provider.issuer)).works).toBe(false);
  expect(provider.asked).toEqual([PATH]);
  provider.state.answers.clear();
  clock.advance(6_000);
  expect((await tested(ada, provider.issuer)).works).toBe(true);
});

test('only an admin of the organization can make the hub contact an issuer', async () => {
  await using here = await startOrganizationProvider();
  const { hub, provider, ada } = here;
  await hub.people('eve', 'mallory');
  await hub.apply({
    organizations: [
      {
        name: 'acme',
        members: [
          { user: 'ada', role: 'admin' },
          { user: 'eve', role: 'write' },
        ],
      },
      { name: 'evil', plan: 'plus', members: [{ user: 'mallory', role: 'admin' }] },
    ],
  });
  const body = { issuer: provider.issuer };
  const statusFor = async (caller: Connection) => (await ask(caller, TEST, body)).status;
  const { token: reader } = await createAccessToken({ ...ada, displayName: 'reader', role: 'read' });
  const fineGrained = { scoped: [], global: ['user.webhooks.read' as const] };
  const { token: narrow } = await createAccessToken({
    ...ada,
    displayName: 'narrow',
    role: 'fineGrained',
    fineGrained,
  });
  expect(await statusFor(hub.as('eve'))).toBe(403);
  expect(await statusFor(hub.as('mallory'))).toBe(403);
  for (const accessToken of [reader, narrow]) expect(await statusFor({ ...ada, accessToken })).toBe(403);
  expect((await fetch(`${hub.url}/api/organizations/acme/single-sign-on/test`, { method: 'POST' })).status).toBe(401);
  await hub.apply({ organizations: [{ name: 'acme', plan: 'free' }] });
  expect(await statusFor(ada)).toBe(402);
  expect(provider.asked).toEqual([]);
});

test('a tested issuer is reached at public addresses only, as is the issuer of the hub when an organization tests it', async () => {
  await using hub = await startHub({
    MOONBASE_TRUSTED_PROXIES: '10.0.0.1',
    MOONBASE_PUBLIC_URL: 'https://hub.example.com',
    MOONBASE_OIDC_ISSUER: 'https://127.0.0.1:9',
    MOONBASE_OIDC_CLIENT_ID: 'moonbase',
  });
  await hub.apply({
    users: [{ name: 'ada', tokens: [{ name: 'test', role: 'write', token: tokenOf('ada') }] }],
    organizations: [{ name: 'acme', plan: 'team', members: [{ user: 'ada', role: 'admin' }] }],
  });
  for (const issuer of ['https://127.0.0.1:9', 'https://169.254.169.254', 'https://[::1]', 'https://10.1.2.3']) {
    const { works, message } = await tested(hub.as('ada'), issuer);
    expect([issuer, works]).toEqual([issuer, false]);
    expect(message).not.toMatch(/refused|timed out/i);
  }
  for (const issuer of [hub.url, 'file:///etc/passwd', 'https://a:b@c.example', 'x'])
    await expect(tested(hub.as('ada'), issuer)).rejects.toMatchObject({ status: 400 });
});
