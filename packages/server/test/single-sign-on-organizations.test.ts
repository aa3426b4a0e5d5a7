import { listAuditLog } from '@moonbase/client/audit-log';
import { deleteSingleSignOn, getSingleSignOn } from '@moonbase/client/single-sign-on';
import { expect, test } from 'vitest';
import { ask } from './ask.ts';
import { openBrowser } from './browser.ts';
import { startForgingProvider } from './forging-provider.ts';
import { collect, startHub, tokenOf } from './harness.ts';
import { openProgram, whoIs as whoCalls } from './oauth-programs.ts';
import { setProvider, startOrganizationProvider } from './organization-provider.ts';
import { newUser } from './scim-fixture.ts';
import { withPassword } from './signed-in.ts';
import { begin, finish, signInAs, whoIs } from './single-sign-on.ts';

const ACME = { wish: { organization: 'acme' } };
const MAPPING = [
  { group: 'staff', role: 'read' },
  { group: 'engineers', role: 'write' },
  { group: 'owners', role: 'admin' },
];

for (const [name, subjectClaim, claims] of [
  ['Okta', 'sub', { sub: 'ext-1', preferred_username: 'dora@acme.com' }],
  ['Entra ID', 'oid', { sub: 'pairwise', oid: 'ext-1', preferred_username: 'dora@acme.com' }],
] as const)
  test(`row 29, ${name}: SCIM creates dora, she signs in, her groups give roles, and SCIM ends and restores all of it`, async () => {
    await using here = await startOrganizationProvider({ subjectClaim, roleMapping: MAPPING });
    const { hub, provider, clock } = here;
    const id = await here.provision('dora@acme.com', 'ext-1');
    const person = { ...claims, auth_time: Math.floor(clock.now() / 1000), groups: ['staff', 'engineers'] };
    const { status, body, browser } = await signInAs(hub, provider, person, ACME);
    expect([status, body.user]).toEqual([200, expect.objectContaining({ id, name: 'dora' })]);
    expect(await here.roleOf('dora')).toBe('write');

    const { body: made } = await browser.ask('POST /api/settings/tokens', { displayName: 'laptop', role: 'write' });
    const program = await openProgram(hub);
    const decided = await browser.ask('POST /api/oauth/device/decision', {
      ...{ userCode: program.userCode, decision: 'allow', organizations: ['acme'] },
    });
    expect(decided.status).toBe(200);
    const { body: tokens } = await program.poll();
    const bearer = async (token: string) => (await whoCalls(hub, token)).status;
    const refresh = async () => (await program.refresh(tokens.refresh_token)).body;
    expect([await bearer(made.token), await bearer(tokens.access_token), await whoIs(browser)]).toEqual([
      200,
      200,
      'dora',
    ]);

    expect((await here.setActive(id, false)).status).toBe(200);
    expect([await bearer(made.token), await bearer(tokens.access_token), await whoIs(browser)]).toEqual([
      401, 401, 401,
    ]);
    expect((await refresh()).error).toBe('invalid_grant');
    expect((await signInAs(hub, provider, person, ACME)).status).toBe(403);
    expect(await here.roleOf('dora')).toBeUndefined();

    expect((await here.setActive(id, true)).status).toBe(200);
    expect([await bearer(made.token), await bearer(tokens.access_token), await whoIs(browser)]).toEqual([
      200,
      200,
      'dora',
    ]);
    expect(await refresh()).toHaveProperty('access_token');
    expect((await signInAs(hub, provider, { ...person, groups: ['staff'] }, ACME)).status).toBe(200);
    expect(await here.roleOf('dora')).toBe('read');
  });

test('the audit log records each sign-in, and members who joined by it', async () => {
  await using here = await startOrganizationProvider({ createUsers: true, defaultRole: 'contributor' });
  const { hub, provider } = here;
  const answer = await signInAs(hub, provider, { sub: 'u-9', preferred_username: 'erin', sid: 's-1' }, ACME);
  expect(answer.body.user.name).toBe('erin');
  expect(await here.roleOf('erin')).toBe('contributor');
  const log = await collect(listAuditLog({ ...here.ada, name: 'acme' }));
  expect(log.slice(0, 3).map(({ type, author, data }) => [type, author.user, data])).toEqual([
    ['org.sso_login', 'erin', { subject: 'u-9', session: 's-1' }],
    ['org.sso_join', 'erin', { user: expect.objectContaining({ user: 'erin' }), role: 'contributor' }],
    ['org.update_settings', 'ada', { singleSignOn: expect.objectContaining({ issuer: provider.issuer }) }],
  ]);
  expect(JSON.stringify(log)).not.toContain('the secret of the hub');
});

test('row 13: the best role of the groups counts, a missing groups claim changes nothing, and the last admin stays', async () => {
  await using here = await startOrganizationProvider({ createUsers: true, roleMapping: MAPPING });
  const { hub, provider } = here;
  const role = async (claims: object) => {
    const { status } = await signInAs(hub, provider, { sub: 'u-1', preferred_username: 'dora', ...claims }, ACME);
    expect(status).toBe(200);
    return here.roleOf('dora');
  };
  expect(await role({ groups: ['staff', 'owners', 'engineers'] })).toBe('admin');
  expect(await role({})).toBe('admin');
  expect(await role({ groups: [], hasgroups: true })).toBe('admin');
  expect(await role({ groups: ['/engineers'] })).toBe('write');
  expect(await role({ groups: ['Engineers'] })).toBe('read');
  expect(await role({ groups: ['owners'] })).toBe('admin');
  await ask(hub.admin, 'POST /api/admin/users/ada/disable', {});
  const { browser } = await signInAs(hub, provider, { sub: 'u-1', groups: ['staff'] }, ACME);
  const { body } = await browser.ask('GET /api/organizations/acme/members');
  expect(body.find((member: { user: string }) => member.user === 'dora').role).toBe('admin');
});

test('a role from a SCIM group takes precedence over the groups of the provider', async () => {
  await using here = await startOrganizationProvider({ roleMapping: MAPPING });
  const { hub, provider } = here;
  const id = await here.provision('dora@acme.com', 'ext-1');
  const { body: group } = await here.scim('POST /Groups', {
    ...{ schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'], displayName: 'Writers', members: [{ value: id }] },
  });
  expect((await here.org('POST /scim/links', { groupId: group.id, role: 'write' })).status).toBe(201);
  await signInAs(hub, provider, { sub: 'ext-1', groups: ['owners'] }, ACME);
  expect(await here.roleOf('dora')).toBe('write');
});

test('the provider of an organization signs in to that organization’s accounts only', async () => {
  await using here = await startOrganizationProvider({ createUsers: true });
  const { hub, provider } = here;
  // bob has an account of his own: the provider admits him to acme once he is signed in, but never to his account.
  const bob = await withPassword(hub, 'bob');
  const person = { sub: 'u-bob', preferred_username: 'bob', email: 'bob@home.test', email_verified: true };
  const { body } = await bob.ask('POST /api/settings/identities', { organization: 'acme' });
  expect(await finish(bob, provider.authorize(body.url, person))).toMatchObject({
    status: 200,
    body: { linked: true },
  });
  expect(await here.roleOf('bob')).toBe('read');
  expect(await signInAs(hub, provider, person, ACME)).toMatchObject({ status: 403 });
  // An address and a name of somebody else match no account.
  const same = await signInAs(hub, provider, { ...person, sub: 'u-other' }, ACME);
  expect(same.body.user.name).toBe('bob-2');
  expect((await same.browser.ask('GET /api/settings/email')).body).toEqual({ email: null });
  // The provider cannot sign in a member whom SCIM knows but did not create.
  await here.scim('POST /Users', newUser('bob', { externalId: 'u-adopted' }));
  const adopted = await signInAs(hub, provider, { sub: 'u-adopted', preferred_username: 'bob' }, ACME);
  expect(adopted.body.user.name).not.toBe('bob');
  // The provider cannot sign in a site administrator, whoever created the account.
  await here.provision('root@acme.com', 'u-root');
  await hub.database.transaction((tx) =>
    tx.updateTable('accounts').set({ site_admin: 1 }).where('name', '=', 'root').execute(),
  );
  expect((await signInAs(hub, provider, { sub: 'u-root' }, ACME)).status).toBe(403);
});

test('a user whom SCIM removed does not become a member again by signing in', async () => {
  await using here = await startOrganizationProvider();
  const { hub, provider } = here;
  const bob = await withPassword(hub, 'bob');
  const enter = async () => {
    const { body } = await bob.ask('POST /api/settings/identities', { organization: 'acme' });
    return (await finish(bob, provider.authorize(body.url, { sub: 'u-bob' }))).status;
  };
  expect(await enter()).toBe(200);
  const { body } = await here.scim('POST /Users', newUser('bob', { externalId: 'u-bob' }));
  await here.setActive(body.id, false);
  expect(await here.roleOf('bob')).toBeUndefined();
  expect(await enter()).toBe(403);
  expect(await here.roleOf('bob')).toBeUndefined();
});

test('row 5: the response of one provider is invalid at another, and equal subjects are different users', async () => {
  await using other = await startForgingProvider({ now: () => Date.parse('2026-01-05T12:00:00.000Z') });
  await using here = await startOrganizationProvider({ createUsers: true }, other.settings);
  const { hub, provider } = here;
  const path = (await signInPath(ACME.wish)).replace(/\/login\/oidc\/\w+\/callback/, '/login/oidc/callback');
  async function signInPath(wish: object) {
    const browser = openBrowser(hub);
    return provider.authorize(await begin(browser, wish), { sub: 'u-1' });
  }
  const browser = openBrowser(hub);
  const mixed = other.authorize(await begin(browser), { sub: 'u-1' });
  await begin(browser, ACME.wish);
  for (const back of [path, mixed.replace('/login/oidc/', `/login/oidc/${'6'.repeat(24)}/`)])
    expect((await finish(browser, back)).status).toBe(400);
  // The code comes from acme's provider, and the state from a sign-in at the hub's own.
  const state = new URL(await begin(browser)).searchParams.get('state');
  const stolen = new URL(`http://hub${await signInPath(ACME.wish)}`).searchParams;
  const forged = `/login/oidc/callback?code=${stolen.get('code')}&state=${state}&iss=${provider.issuer}`;
  expect((await finish(browser, forged)).status).toBe(401);
  const one = await signInAs(hub, provider, { sub: 'u-1', preferred_username: 'dora' }, ACME);
  const two = await signInAs(hub, other, { sub: 'u-1', preferred_username: 'dora' });
  expect([one.body.user.name, two.body.user.name]).toEqual(['dora', 'dora-2']);
});

test('a client secret is sealed, never shown and sent to no other issuer; changing or removing the issuer ends the sessions', async () => {
  await using here = await startOrganizationProvider({ createUsers: true });
  const { hub, provider, ada } = here;
  const shown = await getSingleSignOn({ ...ada, organization: 'acme' });
  expect(shown).toMatchObject({
    hasSecret: true,
    issuer: provider.issuer,
    signInUrl: `${hub.url}/login?organization=acme`,
  });
  expect(JSON.stringify(shown)).not.toContain('the secret');
  const stored = () => hub.database.read.selectFrom('organization_providers').selectAll().executeTakeFirstOrThrow();
  expect((await stored()).client_secret).toMatch(/^bound:/);
  const { browser } = await signInAs(hub, provider, { sub: 'u-1', preferred_username: 'dora' }, ACME);
  await setProvider(here, provider, { createUsers: true, clientSecret: undefined });
  expect((await stored()).client_secret).toMatch(/^bound:/);
  expect(await whoIs(browser)).toBe('dora');
  await setProvider(here, provider, { issuer: 'https://other.example', clientSecret: undefined });
  expect((await stored()).client_secret).toBeNull();
  expect(await whoIs(browser)).toBe(401);
  await setProvider(here, provider);
  const again = await signInAs(hub, provider, { sub: 'u-1' }, ACME);
  expect(again.body.user.name).toBe('dora');
  await deleteSingleSignOn({ ...ada, organization: 'acme' });
  expect(await whoIs(again.browser)).toBe(401);
  expect((await openBrowser(hub).ask('POST /api/sign-in/provider', ACME.wish)).status).toBe(404);
});

test('setting a provider needs an admin, a plan that includes it, existing roles, and a mapping to admin', async () => {
  await using here = await startOrganizationProvider();
  const { hub, provider, ada } = here;
  const put = async (settings: object, caller = ada) => {
    const body = { issuer: provider.issuer, clientId: 'c', ...settings };
    return (await ask(caller, 'PUT /api/organizations/acme/single-sign-on', body)).status;
  };
  expect(await put({}, hub.as('bob'))).toBe(403);
  expect(await put({ roleMapping: [{ group: 'a', role: 'boss' }] })).toBe(400);
  expect(await put({ roleMapping: [{ group: 'a', role: 'write' }] })).toBe(400);
  expect(await put({ defaultRole: 'boss' })).toBe(400);
  for (const issuer of ['ftp://a.example', 'https://a:b@c.example', 'https://a.example?b', 'x'])
    expect([issuer, await put({ issuer })]).toEqual([issuer, 400]);
  await hub.apply({ organizations: [{ name: 'acme', plan: 'team' }] });
  expect(await put({})).toBe(200);
  expect(await put({ createUsers: true })).toBe(402);
  await hub.apply({ organizations: [{ name: 'acme', plan: 'free' }] });
  expect(await put({})).toBe(402);
  expect((await openBrowser(hub).ask('POST /api/sign-in/provider', ACME.wish)).status).toBe(404);
});

test('a provider that resolves to an internal address is not contacted', async () => {
  const env = { MOONBASE_TRUSTED_PROXIES: '10.0.0.1' };
  await using hub = await startHub(env);
  await hub.apply({
    users: [{ name: 'ada', tokens: [{ name: 'test', role: 'write', token: tokenOf('ada') }] }],
    organizations: [{ name: 'acme', plan: 'team', members: [{ user: 'ada', role: 'admin' }] }],
  });
  const put = (issuer: string) =>
    ask(hub.as('ada'), 'PUT /api/organizations/acme/single-sign-on', { issuer, clientId: 'c' });
  expect((await put(hub.url)).status).toBe(400);
  for (const issuer of [hub.url.replace('http:', 'https:'), 'https://169.254.169.254', 'https://[::1]']) {
    expect((await put(issuer)).status).toBe(200);
    const { status, body } = await openBrowser(hub).ask('POST /api/sign-in/provider', ACME.wish);
    expect([issuer, status, body.error]).toEqual([
      issuer,
      502,
      'acme is not responding; try again, or sign in another way',
    ]);
  }
});
