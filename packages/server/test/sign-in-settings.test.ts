import { expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { openBrowser } from './browser.ts';
import { startHub, tokenOf } from './harness.ts';
import { plainHashing } from './plain-hashing.ts';
import { linkFor, PASSWORD, withPassword } from './signed-in.ts';
import { signInAs, startWithProvider, whoIs } from './single-sign-on.ts';
import { totpCode } from './totp-code.ts';

const methods = async (hub: { readonly url: string }) => (await openBrowser(hub).ask('GET /api/sign-in/methods')).body;
const start = (settings: Readonly<Record<string, string>>) => startHub(settings, { hashing: plainHashing });

test('row 31: a hub with only a provider accepts no passwords and no tokens, and lets its administrator in with a link', async () => {
  await using here = await startWithProvider({ MOONBASE_SIGN_IN: 'oidc', MOONBASE_OIDC_AUTO: 'true' });
  const { hub, provider } = here;
  await hub.people('ada');
  expect(await methods(hub)).toMatchObject({
    ...{ password: false, token: false },
    provider: { name: 'Example Login', auto: true },
  });
  const browser = openBrowser(hub);
  const refused = [
    await browser.ask('POST /api/sign-in', { name: 'ada', password: PASSWORD }),
    await browser.ask('POST /api/sign-in', { name: 'nobody', password: PASSWORD }),
    await browser.ask('POST /api/sign-in/reset', { name: 'ada' }),
    await browser.ask('POST /api/sign-in/token', { token: tokenOf('ada') }),
  ];
  expect(refused.map(({ status, cookie }) => [status, cookie])).toEqual(refused.map(() => [403, null]));
  const link = await fetch(`${hub.url}/api/admin/users/ada/links`, {
    method: 'POST',
    headers: { authorization: `Bearer ${hub.admin.accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ purpose: 'invite' }),
  });
  expect(link.status).toBe(403);
  const admin = await withPassword(hub, 'admin');
  expect(await whoIs(admin)).toBe('admin');
  const dora = await signInAs(hub, provider, { sub: 'u-1', preferred_username: 'dora' });
  expect(await whoIs(dora.browser)).toBe('dora');
  expect((await dora.browser.ask('PUT /api/settings/password', { password: PASSWORD })).status).toBe(403);
  // Nobody can sign in with tokens of programs.
  const program = await fetch(`${hub.url}/api/whoami-v2`, { headers: { authorization: `Bearer ${tokenOf('ada')}` } });
  expect(program.status).toBe(200);
});

test('an earlier link is void once passwords are turned off', async () => {
  await using here = await startWithProvider();
  const { hub } = here;
  await hub.people('ada');
  const link = await linkFor(hub, 'ada');
  // The settings of a running hub are fixed, so the row of the link moves to a hub with others.
  await using other = await startWithProvider({ MOONBASE_SIGN_IN: 'token,oidc' });
  await other.hub.people('ada');
  const { id } = await other.hub.database.read
    .selectFrom('accounts')
    .select('id')
    .where('name', '=', 'ada')
    .executeTakeFirstOrThrow();
  const row = await hub.database.read
    .selectFrom('one_time_links')
    .selectAll()
    .where('purpose', '=', 'invite')
    .executeTakeFirstOrThrow();
  await other.hub.database.transaction((tx) =>
    tx
      .insertInto('one_time_links')
      .values({ ...row, user_id: id })
      .execute(),
  );
  expect((await openBrowser(other.hub).ask(`POST ${link}`, { password: PASSWORD })).status).toBe(403);
});

test('without oidc nobody can sign in with a provider', async () => {
  await using here = await startWithProvider({ MOONBASE_SIGN_IN: 'password' });
  expect(await methods(here.hub)).not.toHaveProperty('provider');
  expect((await openBrowser(here.hub).ask('POST /api/sign-in/provider', {})).status).toBe(404);
  await here.hub.people('ada');
  await withPassword(here.hub, 'ada');
  expect((await openBrowser(here.hub).ask('POST /api/sign-in/token', { token: tokenOf('ada') })).status).toBe(403);
});

test('a closed hub creates no account at a sign-in, and still serves those who have one', async () => {
  await using here = await startWithProvider({ MOONBASE_SIGN_UP: 'closed', MOONBASE_OIDC_LINK_BY_EMAIL: 'true' });
  const { hub, provider } = here;
  await hub.apply({ users: [{ name: 'dora', email: 'dora@acme.com' }] });
  expect((await signInAs(hub, provider, { sub: 'u-2', preferred_username: 'erin' })).status).toBe(403);
  const person = { sub: 'u-1', preferred_username: 'dora', email: 'dora@acme.com', email_verified: true };
  expect((await signInAs(hub, provider, person)).body.user.name).toBe('dora');
  expect((await signInAs(hub, provider, person)).status).toBe(200);
});

test('an address that the provider confirms later is the address of the account, unless somebody has it', async () => {
  await using here = await startWithProvider();
  const { hub, provider } = here;
  await hub.apply({ users: [{ name: 'ada', email: 'ada@acme.com' }] });
  const emailOf = async (claims: object) => {
    const { browser } = await signInAs(hub, provider, { sub: 'u-1', preferred_username: 'dora', ...claims });
    return (await browser.ask('GET /api/settings/email')).body.email;
  };
  expect(await emailOf({ email: 'dora@acme.com' })).toBeNull();
  expect(await emailOf({ email: 'ada@acme.com', email_verified: true })).toBeNull();
  expect(await emailOf({ email: 'dora@acme.com', email_verified: true })).toBe('dora@acme.com');
  // The user may have changed the address, which the provider then leaves alone.
  expect(await emailOf({ email: 'dora@other.com', email_verified: true })).toBe('dora@acme.com');
});

test('a second factor that the hub requires is set up between the steps: there is no session without it', async () => {
  await using hub = await start({ MOONBASE_SECOND_FACTOR: 'all' });
  await hub.people('ada');
  const browser = openBrowser(hub);
  expect((await browser.ask(`POST ${await linkFor(hub, 'ada')}`, { password: PASSWORD })).body).toMatchObject({
    ...{ secondFactor: true, setUp: true },
  });
  expect((await browser.ask('GET /api/whoami-v2')).status).toBe(401);
  expect((await browser.ask('POST /api/sign-in/second-factor', { code: '123456' })).status).toBe(409);
  const { body: made } = await browser.ask('POST /api/sign-in/second-factor/set-up', {});
  const code = totpCode(made.uri, hub.clock.now());
  expect((await browser.ask('POST /api/sign-in/second-factor', { code: '000000' })).status).toBe(400);
  expect((await openBrowser(hub).ask('POST /api/sign-in/second-factor', { code })).status).toBe(401);
  const { status, body } = await browser.ask('POST /api/sign-in/second-factor', { code });
  expect([status, body.recoveryCodes]).toEqual([200, expect.arrayContaining([expect.any(String)])]);
  expect(await whoIs(browser)).toBe('ada');

  const again = openBrowser(hub);
  const step = await again.ask('POST /api/sign-in', { name: 'ada', password: PASSWORD });
  expect([step.body.secondFactor, step.body.setUp]).toEqual([true, undefined]);
  expect((await again.ask('POST /api/sign-in/second-factor/set-up', {})).status).toBe(409);
  expect((await again.ask('POST /api/sign-in/second-factor', { code })).status).toBe(401);
  const recovered = await again.ask('POST /api/sign-in/second-factor', { code: body.recoveryCodes[0] });
  expect([recovered.status, recovered.body.recoveryCodes]).toEqual([200, undefined]);
  expect((await again.ask('DELETE /api/settings/second-factors')).status).toBe(409);
  expect((await openBrowser(hub).ask('POST /api/sign-in/second-factor/set-up', {})).status).toBe(401);
});

test('a second factor required of administrators is required of nobody else, nor after signing in with a provider', async () => {
  await using here = await startWithProvider({
    MOONBASE_SECOND_FACTOR: 'admins',
    MOONBASE_OIDC_ADMIN_GROUP: 'hub-admins',
  });
  const { hub, provider } = here;
  await hub.people('ada');
  expect(await whoIs(await withPassword(hub, 'ada'))).toBe('ada');
  const admin = openBrowser(hub);
  expect((await admin.ask(`POST ${await linkFor(hub, 'admin')}`, { password: PASSWORD })).body.setUp).toBe(true);
  expect(await whoIs(admin)).toBe(401);
  const person = { sub: 'u-1', preferred_username: 'dora', groups: ['hub-admins'] };
  const { browser } = await signInAs(hub, provider, person);
  expect((await browser.ask('GET /api/admin/users')).status).toBe(200);
});

test.each([
  [{ MOONBASE_SIGN_IN: 'oidc' }, 'MOONBASE_SIGN_IN: must have password or token'],
  [{ MOONBASE_SIGN_IN: 'password,magic' }, 'MOONBASE_SIGN_IN: must be some of password, token, oidc'],
  [{ MOONBASE_SIGN_UP: 'open' }, 'MOONBASE_SIGN_UP'],
  [{ MOONBASE_SECOND_FACTOR: 'required' }, 'MOONBASE_SECOND_FACTOR'],
  [{ MOONBASE_OIDC_AUTO: 'true' }, 'MOONBASE_OIDC_AUTO: must be set together with MOONBASE_OIDC_ISSUER'],
])('%j prevents the start', (settings, fault) => {
  expect(() => readConfig(settings)).toThrow(fault);
});
