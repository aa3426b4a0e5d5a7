import { expect, test } from 'vitest';
import { openBrowser } from './browser.ts';
import { MINUTE } from './clock.ts';
import { type Answer, makeKey } from './forging-provider.ts';
import { startHub } from './harness.ts';
import { linkFor, withPassword } from './signed-in.ts';
import { begin, finish, signInAs, startWithProvider, whoIs } from './single-sign-on.ts';

const DORA = { sub: 'u-1', preferred_username: 'dora', name: 'Dora D', email: 'dora@acme.com', email_verified: true };

test('a user who signs in with the provider gets an account the first time, and the same one later', async () => {
  await using here = await startWithProvider();
  const { hub, provider } = here;
  const methods = await openBrowser(hub).ask('GET /api/sign-in/methods');
  expect(methods.body.provider).toEqual({ name: 'Example Login' });
  const first = await signInAs(hub, provider, DORA, { wish: { returnTo: '/inbox?a=b' } });
  expect(first).toMatchObject({
    status: 200,
    body: { user: { name: 'dora', fullname: 'Dora D' }, returnTo: '/inbox?a=b', linked: false },
  });
  expect(await whoIs(first.browser)).toBe('dora');
  expect((await first.browser.ask('GET /api/settings/sessions')).body).toMatchObject([{ method: 'oidc' }]);
  expect((await first.browser.ask('GET /api/settings/email')).body).toEqual({ email: 'dora@acme.com' });
  const again = await signInAs(hub, provider, { ...DORA, preferred_username: 'renamed', email: 'other@acme.com' });
  expect(again.body.user.id).toBe(first.body.user.id);
  expect((await again.browser.ask('GET /api/settings/identities')).body).toMatchObject([
    { issuer: provider.issuer, email: 'other@acme.com' },
  ]);
});

test('the browser is sent to the provider with PKCE, state and nonce, and with a prompt if required', async () => {
  await using here = await startWithProvider();
  const browser = openBrowser(here.hub);
  const url = new URL(await begin(browser));
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    ...{ client_id: 'moonbase', response_type: 'code', scope: 'openid profile email', code_challenge_method: 'S256' },
    redirect_uri: `${here.hub.url}/login/oidc/callback`,
  });
  for (const name of ['state', 'nonce', 'code_challenge']) expect(url.searchParams.get(name)).toMatch(/^[\w-]{43}$/);
  const again = new URL(await begin(browser, { again: true }));
  expect(again.searchParams.get('prompt')).toBe('login');
  expect(again.searchParams.get('max_age')).toBe('0');
});

test('row 3: a flow begun in an attacker’s browser cannot be finished in another', async () => {
  await using here = await startWithProvider();
  const { hub, provider } = here;
  const attacker = openBrowser(hub);
  const path = provider.authorize(await begin(attacker), DORA);
  const victim = openBrowser(hub);
  await begin(victim);
  expect(await finish(victim, path)).toMatchObject({ status: 400 });
  expect(await whoIs(victim)).toBe(401);
  const foreign = openBrowser(hub, { origin: 'https://evil.example' });
  for (const [name, value] of attacker.cookies) foreign.cookies.set(name, value);
  expect((await finish(foreign, path)).status).toBe(403);
  expect((await foreign.ask('POST /api/sign-in/provider', {})).status).toBe(403);
  expect((await finish(attacker, path)).status).toBe(200);
});

test('row 4: the return address is passed back to the page unchanged, and causes no redirect', async () => {
  await using here = await startWithProvider();
  for (const returnTo of ['//evil.example', '/\\evil', 'https:evil', 'javascript:alert(1)', '/%0d%0aset-cookie:a=b']) {
    const { status, body, headers } = await signInAs(here.hub, here.provider, DORA, { wish: { returnTo } });
    expect([status, body.returnTo, headers.get('location')]).toEqual([200, returnTo, null]);
  }
});

test('row 5: a response is valid only at the address of its provider and with the provider’s issuer', async () => {
  await using here = await startWithProvider();
  const { hub, provider } = here;
  const wrong = [
    (path: string) => path.replace('/login/oidc/callback', '/login/oidc/65a0c0ffee00000000000001/callback'),
    (path: string) => path.replace(/&iss=[^&]*/, '&iss=https%3A%2F%2Fother.example'),
    (path: string) => path.replace(/&iss=[^&]*/, ''),
    (path: string) => `@evil.example${path}`,
    (path: string) => `/.${path}#`.replace('/login', '/evil/../other'),
  ];
  for (const change of wrong) {
    const browser = openBrowser(hub);
    const path = change(provider.authorize(await begin(browser), DORA));
    expect([path, [400, 401].includes((await finish(browser, path)).status)]).toEqual([path, true]);
    expect(await whoIs(browser)).toBe(401);
  }
});

test('row 6: a response is valid once, and several tabs do not interfere', async () => {
  await using here = await startWithProvider();
  const { hub, provider } = here;
  const browser = openBrowser(hub);
  const [one, two] = [await begin(browser), await begin(browser)];
  const path = provider.authorize(one, DORA);
  const before = new Map(browser.cookies);
  expect((await finish(browser, path)).status).toBe(200);
  expect(await finish(browser, path)).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining('start again') },
  });
  // A copy of the cookie does not revive the code.
  const copy = openBrowser(hub);
  for (const [name, value] of before) copy.cookies.set(name, value);
  expect((await finish(copy, path)).status).toBe(401);
  expect((await finish(browser, provider.authorize(two, DORA))).status).toBe(200);
  // The token has the nonce of another sign-in.
  const other = new URL(await begin(openBrowser(hub))).searchParams.get('nonce');
  expect((await signInAs(hub, provider, { ...DORA, nonce: other })).status).toBe(401);
  expect((await signInAs(hub, provider, { ...DORA, nonce: undefined })).status).toBe(401);
});

test('row 6: a pending sign-in expires after ten minutes, and a browser has at most five', async () => {
  await using here = await startWithProvider();
  const { hub, provider, clock } = here;
  const browser = openBrowser(hub);
  const path = provider.authorize(await begin(browser), DORA);
  clock.advance(10 * MINUTE);
  expect((await finish(browser, path)).status).toBe(400);
  for (let tab = 0; tab < 8; tab++) await begin(browser);
  expect(browser.cookies.size).toBe(5);
});

test('row 7: id tokens that others could have created are refused', async () => {
  await using here = await startWithProvider();
  const { hub, provider } = here;
  const { SignJWT, UnsecuredJWT } = await import('jose');
  const stranger = await makeKey('first');
  const secret = (text: string) => new TextEncoder().encode(text);
  const refused: Readonly<Record<string, Parameters<typeof signInAs>[3]>> = {
    unsigned: { forge: (claims) => new UnsecuredJWT({ ...claims }).encode() },
    'signed with the public key as a secret': {
      forge: (claims) => new SignJWT({ ...claims }).setProtectedHeader({ alg: 'HS256' }).sign(secret(provider.key.pem)),
    },
    'signed with the secret of the client': {
      forge: (claims) =>
        new SignJWT({ ...claims })
          .setProtectedHeader({ alg: 'HS256', kid: provider.key.kid })
          .sign(secret(provider.settings.MOONBASE_OIDC_CLIENT_SECRET)),
    },
    'signed by another key of the same name': { forge: (claims) => provider.sign(claims, stranger) },
    'another issuer': { forge: (claims) => provider.sign({ ...claims, iss: 'https://other.example' }) },
    'another audience': { forge: (claims) => provider.sign({ ...claims, aud: 'another' }) },
    'no audience': { forge: (claims) => provider.sign({ ...claims, aud: undefined }) },
    'another party': { forge: (claims) => provider.sign({ ...claims, azp: 'another' }) },
    'two audiences and no party': { forge: (claims) => provider.sign({ ...claims, aud: [claims.aud, 'another'] }) },
    'no subject': { forge: (claims) => provider.sign({ ...claims, sub: undefined }) },
    'a cut token': { forge: async (claims) => (await provider.sign(claims)).slice(0, -9) },
    'no token': { forge: () => '' },
  };
  for (const [what, options] of Object.entries(refused)) {
    const { status, body, browser } = await signInAs(hub, provider, DORA, options);
    expect([what, status, body.error]).toEqual([what, 401, 'The sign-in could not be confirmed; start again']);
    expect(await whoIs(browser)).toBe(401);
  }
  expect((await signInAs(hub, provider, DORA)).status).toBe(200);
});

test('row 8: expired tokens and tokens from the future are refused; keys are fetched at most once a minute', async () => {
  await using here = await startWithProvider();
  const { hub, provider, clock } = here;
  const at = provider.seconds();
  const times = [
    { iat: at - 400, exp: at - 61 },
    { iat: at + 120, exp: at + 300 },
    { iat: at - 4000, exp: at + 300 },
    { iat: at, exp: undefined },
    { iat: undefined, exp: at + 300 },
    { iat: at, exp: at + 300, nbf: at + 120 },
  ];
  for (const time of times)
    expect([time, (await signInAs(hub, provider, { ...DORA, ...time })).status]).toEqual([time, 401]);
  expect((await signInAs(hub, provider, { ...DORA, iat: at + 30 })).status).toBe(200);
  const fetched = () => provider.asked.filter((path) => path === '/jwks').length;
  clock.advance(2 * MINUTE);
  const before = fetched();
  const unknown = await makeKey('unknown');
  for (let tries = 0; tries < 5; tries++)
    expect((await signInAs(hub, provider, DORA, { forge: (claims) => provider.sign(claims, unknown) })).status).toBe(
      401,
    );
  expect(fetched() - before).toBe(1);
});

test('row 9: after a key rotation or while the provider is down sessions continue, and the page says what is wrong', async () => {
  await using here = await startWithProvider();
  const { hub, provider, clock } = here;
  const { browser } = await signInAs(hub, provider, DORA);
  const next = await makeKey('second');
  provider.state.keys = [next];
  clock.advance(2 * MINUTE);
  const turned = await signInAs(hub, provider, DORA, { forge: (claims) => provider.sign(claims, next) });
  expect(turned.status).toBe(200);
  const down: Answer = (_request, response) => void response.writeHead(503).end();
  for (const path of ['/.well-known/openid-configuration', '/jwks']) provider.state.answers.set(path, down);
  clock.advance(2 * 60 * MINUTE);
  // The cached document of the provider stays valid.
  expect((await signInAs(hub, provider, DORA, { forge: (claims) => provider.sign(claims, next) })).status).toBe(200);
  provider.state.answers.set('/token', down);
  expect(await signInAs(hub, provider, DORA)).toMatchObject({
    status: 502,
    body: { error: expect.stringContaining('Example Login is not responding') },
  });
  expect(await whoIs(browser)).toBe('dora');
});

test('row 10: an unconfirmed address links to no account, and the response does not reveal whose it is', async () => {
  await using here = await startWithProvider({ MOONBASE_OIDC_LINK_BY_EMAIL: 'true' });
  const { hub, provider } = here;
  await hub.apply({ users: [{ name: 'ada', email: 'ada@acme.com' }] });
  for (const verified of [false, undefined, 'true', 1]) {
    const claims = { sub: `m-${verified}`, preferred_username: 'mallory', email: 'ada@acme.com' };
    const { status, body, browser } = await signInAs(hub, provider, { ...claims, email_verified: verified });
    expect([status, body.user.name.startsWith('mallory')]).toEqual([200, true]);
    expect((await browser.ask('GET /api/settings/email')).body).toEqual({ email: null });
  }
});

test('a confirmed address links automatically only if configured, and only to an account without a password', async () => {
  await using strict = await startWithProvider();
  await strict.hub.apply({ users: [{ name: 'dd', email: 'dora@acme.com' }] });
  expect(await signInAs(strict.hub, strict.provider, DORA)).toMatchObject({
    status: 409,
    body: { error: expect.stringContaining('sign in to it as before') },
  });
  await using open = await startWithProvider({ MOONBASE_OIDC_LINK_BY_EMAIL: 'true' });
  await open.hub.apply({
    users: [
      { name: 'dd', email: 'dora@acme.com' },
      { name: 'pia', email: 'pia@acme.com' },
    ],
  });
  expect((await signInAs(open.hub, open.provider, DORA)).body.user.name).toBe('dd');
  // A user with another identity or a password must first prove it.
  expect((await signInAs(open.hub, open.provider, { ...DORA, sub: 'u-2' })).status).toBe(409);
  await withPassword(open.hub, 'pia');
  const pia = { ...DORA, sub: 'u-3', email: 'pia@acme.com' };
  expect((await signInAs(open.hub, open.provider, pia)).status).toBe(409);
});

test('row 11: an account with an unconfirmed address is not linked to the owner of the address', async () => {
  await using here = await startWithProvider({ MOONBASE_OIDC_LINK_BY_EMAIL: 'true' });
  const { hub, provider } = here;
  await hub.people('mallory');
  const mallory = await withPassword(hub, 'mallory');
  await mallory.ask('PUT /api/settings/email', { email: 'dora@acme.com' });
  const { body } = await signInAs(hub, provider, DORA);
  expect(body.user.name).toBe('dora');
  expect(await whoIs(mallory)).toBe('mallory');
});

test('row 12: the same subject of another issuer is another person', async () => {
  await using here = await startWithProvider();
  const { hub, provider } = here;
  const { body } = await signInAs(hub, provider, DORA);
  const move = { issuer: 'https://login.microsoftonline.com/other/v2.0' };
  await hub.database.transaction((tx) => tx.updateTable('identities').set(move).execute());
  const other = await signInAs(hub, provider, { ...DORA, email: undefined });
  expect(other.status).toBe(200);
  expect(other.body.user.id).not.toBe(body.user.id);
});

test('row 12: a multi-tenant endpoint is refused as an issuer', async () => {
  for (const tenant of ['common', 'organizations', 'consumers', '{tenantid}'])
    await expect(
      startHub({
        MOONBASE_OIDC_ISSUER: `https://login.microsoftonline.com/${tenant}/v2.0`,
        MOONBASE_OIDC_CLIENT_ID: 'moonbase',
      }),
    ).rejects.toThrow('MOONBASE_OIDC_ISSUER: must name one tenant');
});

test('row 13: the admin group grants and revokes site administration; a missing claim changes nothing, and the last administrator stays', async () => {
  await using here = await startWithProvider({ MOONBASE_OIDC_ADMIN_GROUP: 'hub-admins' });
  const { hub, provider } = here;
  const isAdmin = async (claims: object) => {
    const { browser } = await signInAs(hub, provider, { ...DORA, ...claims });
    return (await browser.ask('GET /api/admin/users')).status === 200;
  };
  expect(await isAdmin({ groups: ['staff'] })).toBe(false);
  expect(await isAdmin({ groups: ['staff', '/hub-admins'] })).toBe(true);
  expect(await isAdmin({})).toBe(true);
  expect(await isAdmin({ hasgroups: true, groups: [] })).toBe(true);
  expect(await isAdmin({ _claim_names: { groups: 'src1' }, groups: [] })).toBe(true);
  await hub.database.transaction((tx) =>
    tx.updateTable('accounts').set({ site_admin: 0 }).where('name', '=', 'admin').execute(),
  );
  expect(await isAdmin({ groups: [] })).toBe(true);
  await hub.database.transaction((tx) =>
    tx.updateTable('accounts').set({ site_admin: 1 }).where('name', '=', 'admin').execute(),
  );
  expect(await isAdmin({ groups: [] })).toBe(false);
});

test('row 31: a site administrator can sign in by a setup link when the provider is gone', async () => {
  await using here = await startWithProvider();
  const { hub, provider } = here;
  await signInAs(hub, provider, DORA);
  for (const path of ['/.well-known/openid-configuration', '/token', '/jwks'])
    provider.state.answers.set(path, (_request, response) => void response.destroy());
  expect((await signInAs(hub, provider, DORA)).status).toBe(502);
  const browser = openBrowser(hub);
  const link = await linkFor(hub, 'admin', 'setup');
  expect((await browser.ask(`POST ${link}`, { password: 'seven quiet herons' })).status).toBe(200);
  expect(await whoIs(browser)).toBe('admin');
});
