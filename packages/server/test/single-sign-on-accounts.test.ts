import { deleteUser, disableUser } from '@moonbase/client/users';
import { expect, test } from 'vitest';
import { openBrowser } from './browser.ts';
import { MINUTE } from './clock.ts';
import { PASSWORD, withPassword } from './signed-in.ts';
import { type Browser, begin, finish, signInAs, startWithProvider, whoIs } from './single-sign-on.ts';

const DORA = { sub: 'u-1', preferred_username: 'dora', email: 'dora@acme.com', email_verified: true };

/** Returns the address to which the hub sends a browser that links the provider to its user. */
async function beginLink(browser: Browser, current?: string) {
  const { status, body } = await browser.ask('POST /api/settings/identities', { current });
  return { status, url: String(body.url ?? '') };
}

test('a user who is signed in links the provider, signs in with it from then on, and unlinks it', async () => {
  await using here = await startWithProvider();
  const { hub, provider } = here;
  await hub.people('ada');
  const browser = await withPassword(hub, 'ada');
  const { url } = await beginLink(browser);
  expect(await finish(browser, provider.authorize(url, DORA))).toMatchObject({
    status: 200,
    body: { linked: true, user: { name: 'ada' }, returnTo: '/' },
  });
  const other = await signInAs(hub, provider, DORA);
  expect(other.body.user.name).toBe('ada');
  const [identity] = (await browser.ask('GET /api/settings/identities')).body;
  expect((await browser.ask(`DELETE /api/settings/identities/${identity.id}`)).status).toBe(200);
  expect((await browser.ask(`DELETE /api/settings/identities/${identity.id}`)).status).toBe(404);
  expect((await signInAs(hub, provider, { ...DORA, email: undefined })).body.user.name).toBe('dora');
});

test('the only way to sign in cannot be unlinked, nor can an identity of another user', async () => {
  await using here = await startWithProvider();
  const { hub, provider, clock } = here;
  await hub.people('ada');
  const { browser } = await signInAs(hub, provider, { ...DORA, auth_time: Math.floor(clock.now() / 1000) });
  const [identity] = (await browser.ask('GET /api/settings/identities')).body;
  expect((await browser.ask(`DELETE /api/settings/identities/${identity.id}`)).status).toBe(409);
  const ada = await withPassword(hub, 'ada');
  expect((await ada.ask(`DELETE /api/settings/identities/${identity.id}`)).status).toBe(404);
  expect((await ada.ask('GET /api/settings/identities')).body).toEqual([]);
});

test('row 33: unlinking needs a recent sign-in, so no access token changes how its user signs in', async () => {
  await using here = await startWithProvider();
  const { hub, provider, clock } = here;
  await hub.people('ada');
  const browser = await withPassword(hub, 'ada');
  const { url } = await beginLink(browser);
  await finish(browser, provider.authorize(url, DORA));
  const [identity] = (await browser.ask('GET /api/settings/identities')).body;
  const unlink = (by: Browser, headers = {}) =>
    by.ask(`DELETE /api/settings/identities/${identity.id}`, undefined, headers);
  const token = { authorization: `Bearer ${hub.as('ada').accessToken}` };
  expect((await unlink(openBrowser(hub), token)).status).toBe(403);
  const pasted = openBrowser(hub);
  await pasted.ask('POST /api/sign-in/token', { token: hub.as('ada').accessToken });
  expect((await unlink(pasted)).status).toBe(403);
  clock.advance(11 * MINUTE);
  const late = await unlink(browser);
  expect([late.status, late.headers.get('x-error-code')]).toEqual([403, 'RecentSignInNeeded']);
  expect((await signInAs(hub, provider, DORA)).body.user.name).toBe('ada');
});

test('linking needs a recent sign-in, and only the session that began it can finish it', async () => {
  await using here = await startWithProvider();
  const { hub, provider, clock } = here;
  await hub.people('ada', 'mallory');
  const token = { authorization: `Bearer ${hub.as('ada').accessToken}` };
  expect((await openBrowser(hub).ask('POST /api/settings/identities', {}, token)).status).toBe(403);
  const browser = await withPassword(hub, 'ada');
  clock.advance(11 * MINUTE);
  expect((await beginLink(browser)).status).toBe(403);
  expect((await beginLink(browser, 'not the one')).status).toBe(403);
  const { url } = await beginLink(browser, PASSWORD);
  const path = provider.authorize(url, DORA);
  const mallory = await withPassword(hub, 'mallory');
  for (const [name, value] of browser.cookies) if (name.includes('-oidc-')) mallory.cookies.set(name, value);
  expect((await finish(mallory, path)).status).toBe(400);
  // Signing in again starts another session.
  const again = provider.authorize((await beginLink(browser, PASSWORD)).url, DORA);
  await browser.ask('POST /api/sign-in', { name: 'ada', password: PASSWORD });
  expect((await finish(browser, again)).status).toBe(400);
  expect((await browser.ask('GET /api/settings/identities')).body).toEqual([]);
});

test('an identity belongs to one account', async () => {
  await using here = await startWithProvider();
  const { hub, provider } = here;
  await hub.people('ada');
  await signInAs(hub, provider, DORA);
  const browser = await withPassword(hub, 'ada');
  const { url } = await beginLink(browser);
  expect(await finish(browser, provider.authorize(url, DORA))).toMatchObject({ status: 409 });
});

test('sign-in can be restricted by domain, by Google’s hosted domain, by group, and to existing accounts', async () => {
  await using domains = await startWithProvider({ MOONBASE_OIDC_ALLOWED_DOMAINS: 'acme.com, Corp.example' });
  const entry = async (here: typeof domains, claims: object) =>
    (await signInAs(here.hub, here.provider, { ...DORA, sub: JSON.stringify(claims), ...claims })).status;
  expect(await entry(domains, {})).toBe(200);
  expect(await entry(domains, { email: 'x@CORP.example' })).toBe(200);
  expect(await entry(domains, { email: 'x@acme.com', email_verified: false })).toBe(403);
  expect(await entry(domains, { email: 'x@acme.com.evil.example' })).toBe(403);
  expect(await entry(domains, { email: 'x@acme.com', hd: 'evil.example' })).toBe(403);
  expect(await entry(domains, { email: 'y@gmail.com', hd: 'acme.com' })).toBe(200);
  await using groups = await startWithProvider({ MOONBASE_OIDC_ALLOWED_GROUPS: 'staff,hub' });
  expect(await entry(groups, { groups: ['/hub', 'x'] })).toBe(200);
  expect(await entry(groups, { groups: ['x'], email: 'z@acme.com' })).toBe(403);
  expect(await entry(groups, { email: 'z@acme.com' })).toBe(403);
  await using closed = await startWithProvider({ MOONBASE_OIDC_CREATE_USERS: 'false' });
  const answer = await signInAs(closed.hub, closed.provider, DORA);
  expect([answer.status, answer.body.error]).toEqual([
    403,
    'Example Login knows you, but you have no account here; ask an administrator of the hub',
  ]);
});

test('a new account gets a name that is free and valid, whatever the provider calls the person', async () => {
  await using here = await startWithProvider();
  const { hub, provider } = here;
  await hub.people('dora');
  const names = [];
  for (const name of ['dora', 'dora@acme.com', 'admin', 'api', '12', 'Jürgen Groß', '<b>x</b>', undefined, '../..'])
    names.push((await signInAs(hub, provider, { sub: `n-${name}`, preferred_username: name })).body.user.name);
  expect(names).toEqual([
    'dora-2',
    'dora-3',
    'admin-2',
    'user-api',
    'user-12',
    'Jurgen-Gro',
    'b-x-b',
    'user',
    'user-2',
  ]);
});

test('three concurrent first sign-ins of one person create one account', async () => {
  await using here = await startWithProvider();
  const { hub, provider } = here;
  const answers = await Promise.all([1, 2, 3].map(() => signInAs(hub, provider, DORA)));
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.user.id}`)).size).toBe(1);
});

test('row 29: a disabled user cannot sign in with a provider; row 30: a deleted user gets a new account', async () => {
  await using here = await startWithProvider();
  const { hub, provider } = here;
  const { browser, body } = await signInAs(hub, provider, DORA);
  await disableUser({ ...hub.admin, username: 'dora' });
  expect(await whoIs(browser)).toBe(401);
  expect((await signInAs(hub, provider, DORA)).status).toBe(403);
  await deleteUser({ ...hub.admin, username: 'dora' });
  const after = await signInAs(hub, provider, DORA);
  expect(after.body.user.name).toBe('dora');
  expect(after.body.user.id).not.toBe(body.user.id);
});

test('a user confirms a sensitive action by signing in again at the provider', async () => {
  await using here = await startWithProvider();
  const { hub, provider, clock } = here;
  const now = () => Math.floor(clock.now() / 1000);
  const mayChange = async (browser: Browser) =>
    (await browser.ask('PUT /api/settings/email', { email: null })).status === 200;
  const first = await signInAs(hub, provider, { ...DORA, auth_time: now() });
  expect(await mayChange(first.browser)).toBe(true);
  clock.advance(11 * MINUTE);
  expect((await first.browser.ask('PUT /api/settings/email', { email: null })).headers.get('x-error-code')).toBe(
    'RecentSignInNeeded',
  );
  // The provider already knew the person, so an open browser proves nothing.
  const silent = await signInAs(hub, provider, { ...DORA, auth_time: now() - 3600 });
  expect(await mayChange(silent.browser)).toBe(false);
  const unsaid = await signInAs(hub, provider, DORA);
  expect(await mayChange(unsaid.browser)).toBe(false);
  const asked = await signInAs(hub, provider, DORA, { wish: { again: true } });
  expect(await mayChange(asked.browser)).toBe(true);
  const refused = await signInAs(hub, provider, { ...DORA, auth_time: now() - 3600 }, { wish: { again: true } });
  expect(await mayChange(refused.browser)).toBe(false);
  const tomorrow = await signInAs(hub, provider, { ...DORA, auth_time: now() + 86_400 }, { wish: { again: true } });
  clock.advance(11 * MINUTE);
  expect(await mayChange(tomorrow.browser)).toBe(false);
});

test('groups and names missing in the id token come from the userinfo of the same subject', async () => {
  await using here = await startWithProvider({ MOONBASE_OIDC_ADMIN_GROUP: 'hub-admins' });
  const { hub, provider } = here;
  provider.state.document = { userinfo_endpoint: `${provider.issuer}/userinfo` };
  provider.state.userInfo = { sub: 'u-1', preferred_username: 'dora', name: 'Dora D', groups: ['hub-admins'] };
  const { body, browser } = await signInAs(hub, provider, { sub: 'u-1' });
  expect(body.user).toMatchObject({ name: 'dora', fullname: 'Dora D' });
  expect((await browser.ask('GET /api/admin/users')).status).toBe(200);
  provider.state.userInfo = { ...provider.state.userInfo, sub: 'u-2' };
  expect((await signInAs(hub, provider, { sub: 'u-1' })).status).toBe(401);
});

test('a provider that redirects, responds with too much, names another issuer or resolves to an internal address is refused', async () => {
  const documents: Readonly<Record<string, (issuer: string) => object | string>> = {
    'another issuer': () => ({ issuer: 'https://other.example' }),
    'too large': () => ({ more: 'x'.repeat(300_000) }),
    'a token endpoint inside': () => ({ token_endpoint: 'http://169.254.169.254/latest' }),
    'keys inside': () => ({ jwks_uri: 'http://10.0.0.1/jwks' }),
  };
  for (const [what, document] of Object.entries(documents)) {
    await using here = await startWithProvider();
    const { hub, provider } = here;
    provider.state.document = Object(document(provider.issuer));
    const browser = openBrowser(hub);
    const begun = await browser.ask('POST /api/sign-in/provider', {});
    const ended = begun.status === 200 ? await finish(browser, provider.authorize(begun.body.url, DORA)) : begun;
    expect([what, ended.status]).toEqual([what, 502]);
  }
  await using here = await startWithProvider();
  const { hub, provider } = here;
  provider.state.answers.set(
    '/.well-known/openid-configuration',
    (_request, response) => void response.writeHead(302, { location: `${provider.issuer}/elsewhere` }).end(),
  );
  expect((await openBrowser(hub).ask('POST /api/sign-in/provider', {})).status).toBe(502);
  expect(provider.asked).not.toContain('/elsewhere');
  provider.state.answers.set(
    '/.well-known/openid-configuration',
    (_request, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('no JSON'),
  );
  expect((await openBrowser(hub).ask('POST /api/sign-in/provider', {})).status).toBe(502);
});

test('a user who cancels at the provider is told so, without any text of the provider', async () => {
  await using here = await startWithProvider();
  const { hub, provider } = here;
  const browser = openBrowser(hub);
  const state = new URL(await begin(browser)).searchParams.get('state') ?? '';
  const back = (error: string, state: string) =>
    `/login/oidc/callback?${new URLSearchParams({
      ...{ error, state, iss: provider.issuer, error_description: '<b>Call 555</b>' },
    }).toString()}`;
  expect(await finish(browser, back('access_denied', state))).toMatchObject({
    status: 403,
    body: { error: 'The provider refused the sign-in, or you cancelled it' },
  });
  const other = new URL(await begin(browser)).searchParams.get('state') ?? '';
  const { status, body } = await finish(browser, back('server_error', other));
  expect([status, JSON.stringify(body).includes('555')]).toEqual([401, false]);
});
