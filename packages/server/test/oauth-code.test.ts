import { createHash } from 'node:crypto';
import { listAuditLog } from '@moonbase/client/audit-log';
import { approveMemberToken, listMemberTokens, revokeMemberTokenById } from '@moonbase/client/member-tokens';
import { createRepo, getRepo } from '@moonbase/client/repositories';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import { MINUTE } from './clock.ts';
import { collect, startHub, type TestHub } from './harness.ts';
import { sendForm, whoIs } from './oauth-programs.ts';
import { plainHashing } from './plain-hashing.ts';
import { withPassword } from './signed-in.ts';

const DAY = 24 * 60 * MINUTE;
const BACK = 'https://app.example/callback';
const VERIFIER = 'v'.repeat(43);
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');

type Browser = Awaited<ReturnType<typeof withPassword>>;

async function start() {
  // The hub is behind a proxy, so it answers pages of other origins.
  const hub = await startHub({ MOONBASE_TRUSTED_PROXIES: '10.0.0.1' }, { hashing: plainHashing });
  await hub.people('ada');
  return { hub, browser: await withPassword(hub, 'ada'), [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose]() };
}

const status = (done: Promise<unknown>) =>
  done.then(
    () => 200,
    (error: { status: number }) => error.status,
  );

/** Registers an application of ada. */
async function register(browser: Browser, given: Record<string, unknown> = {}) {
  const { status, body } = await browser.ask('POST /api/settings/applications', {
    name: 'Reader',
    redirectUris: [BACK],
    scopes: ['openid', 'profile', 'email', 'read-repos'],
    ...given,
  });
  expect(status).toBe(200);
  return body as { clientId: string; clientSecret?: string };
}

const asking = (clientId: string, given: Record<string, string | undefined> = {}) => ({
  client_id: clientId,
  redirect_uri: BACK,
  response_type: 'code',
  scope: 'openid profile',
  state: 'a state & more',
  code_challenge: CHALLENGE,
  code_challenge_method: 'S256',
  ...given,
});

/** Authorizes an application; returns the parameters of the redirect. */
async function allow(browser: Browser, query: Record<string, unknown>, organizations: readonly string[] = []) {
  const { status, body } = await browser.ask('POST /api/oauth/authorize', {
    ...query,
    decision: 'allow',
    organizations,
  });
  expect(status).toBe(200);
  const url = new URL(body.location);
  return { code: url.searchParams.get('code') ?? '', url, told: Object.fromEntries(url.searchParams) };
}

const exchange = (hub: TestHub, code: string, fields: Record<string, string> = {}, headers = {}) =>
  sendForm(
    hub,
    '/oauth/token',
    { grant_type: 'authorization_code', code, redirect_uri: BACK, code_verifier: VERIFIER, ...fields },
    headers,
  );

test('an application gets a code, tokens for it, an id token that the published keys verify, and the identity of its user', async () => {
  await using set = await start();
  const { hub, browser } = set;
  await hub.apply({ users: [{ name: 'ada', fullname: 'Ada L', email: 'ada@example.com' }] });
  const { clientId } = await register(browser);
  const query = asking(clientId, { nonce: 'n-1', scope: 'openid profile email' });
  const asked = await browser.ask(
    `GET /api/oauth/authorize?${new URLSearchParams(query as Record<string, string>).toString()}`,
  );
  expect(asked).toMatchObject({
    status: 200,
    body: { application: { clientId, name: 'Reader', owner: 'ada' }, redirectUri: BACK },
  });
  const { told, code } = await allow(browser, query);
  expect(told).toEqual({ code: expect.any(String), state: 'a state & more', iss: hub.url });
  // The code determines its application.
  const { status, body } = await exchange(hub, code);
  expect([status, body.scope, body.expires_in]).toEqual([200, 'openid profile email', 8 * 3600]);
  expect(body).not.toHaveProperty('refresh_token');

  const discovery = (await (await fetch(`${hub.url}/.well-known/openid-configuration`)).json()) as Record<
    string,
    string
  >;
  expect(discovery).toMatchObject({ issuer: hub.url, token_endpoint: `${hub.url}/oauth/token` });
  const jwks = (await (await fetch(discovery.jwks_uri ?? '')).json()) as JSONWebKeySet;
  expect(JSON.stringify(jwks)).not.toContain('"d":');
  const { payload } = await jwtVerify(body.id_token, createLocalJWKSet(jwks), {
    issuer: hub.url,
    audience: clientId,
    currentDate: new Date(hub.clock.now()),
  });
  const claims = { name: 'Ada L', preferred_username: 'ada', email: 'ada@example.com', email_verified: true };
  expect(payload).toMatchObject({ ...claims, nonce: 'n-1', picture: expect.stringMatching(/^http/) });
  const info = await fetch(`${hub.url}/oauth/userinfo`, { headers: { authorization: `Bearer ${body.access_token}` } });
  expect(info.headers.get('access-control-allow-origin')).toBe('*');
  expect(await info.json()).toMatchObject({ ...claims, sub: payload.sub, isPro: false, orgs: [] });
  const who = (await whoIs(hub, body.access_token)).body;
  expect([who.name, who.auth.type]).toEqual(['ada', 'oauth']);
});

test('a confidential application authenticates itself, refreshes, and revokes', async () => {
  await using set = await start();
  const { hub, browser } = set;
  const { clientId, clientSecret = '' } = await register(browser, { confidential: true });
  const basic = (secret: string) => ({
    authorization: `Basic ${Buffer.from(`${clientId}:${encodeURIComponent(secret)}`).toString('base64')}`,
  });
  const plain = asking(clientId, { code_challenge: undefined, code_challenge_method: undefined });
  const { code } = await allow(browser, plain);
  const unproved = { grant_type: 'authorization_code', code, redirect_uri: BACK };
  expect(await sendForm(hub, '/oauth/token', unproved)).toMatchObject({
    status: 401,
    body: { error: 'invalid_client' },
  });
  const wrong = await sendForm(hub, '/oauth/token', unproved, basic('wrong'));
  expect([wrong.status, wrong.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="oauth"']);
  const { body: tokens } = await sendForm(hub, '/oauth/token', unproved, basic(clientSecret));
  const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
  expect((await sendForm(hub, '/oauth/token', { ...refresh, client_id: clientId })).status).toBe(401);
  const posted = { ...refresh, client_id: clientId, client_secret: clientSecret };
  const { status, body: next } = await sendForm(hub, '/oauth/token', posted);
  expect(status).toBe(200);
  const other = await register(browser);
  await sendForm(hub, '/oauth/revoke', { token: next.access_token, client_id: other.clientId });
  expect((await whoIs(hub, next.access_token)).status).toBe(200);
  expect(await sendForm(hub, '/oauth/revoke', { token: next.refresh_token }, basic(clientSecret))).toMatchObject({
    ...{ status: 200, body: {} },
  });
  expect((await whoIs(hub, next.access_token)).status).toBe(401);
  expect((await sendForm(hub, '/oauth/revoke', { token: 'nobody has it' }, basic(clientSecret))).status).toBe(200);
});

test('row 17: a code that is used twice revokes its tokens, and another application gets nothing for it', async () => {
  await using set = await start();
  const { hub, browser } = set;
  const { clientId } = await register(browser);
  const other = await register(browser);
  const { code } = await allow(browser, asking(clientId));
  expect((await exchange(hub, code, { client_id: other.clientId })).body.error).toBe('invalid_grant');
  const { body } = await exchange(hub, code, { client_id: clientId });
  expect((await whoIs(hub, body.access_token)).status).toBe(200);
  expect((await exchange(hub, code)).body.error).toBe('invalid_grant');
  expect((await whoIs(hub, body.access_token)).status).toBe(401);
  const late = await allow(browser, asking(clientId));
  hub.clock.advance(MINUTE);
  expect((await exchange(hub, late.code)).body.error).toBe('invalid_grant');
});

test('row 19: nobody is redirected to an address that the application did not register', async () => {
  await using set = await start();
  const { browser } = set;
  const { clientId } = await register(browser, {
    redirectUris: [BACK, 'http://127.0.0.1/done', 'https://s.example/cb?*'],
  });
  const answer = async (redirect_uri: string | undefined, client_id = clientId) => {
    const query = asking(client_id, { redirect_uri });
    const { status, body } = await browser.ask('POST /api/oauth/authorize', { ...query, decision: 'allow' });
    return [status, body.location?.split(/[?&]code=/)[0]];
  };
  for (const uri of [
    'https://app.example/callback/..',
    'https://app.example/callback?next=https://evil.example',
    'https://ada@app.example/callback',
    'https://evil.example/callback',
    'http://localhost/done',
    undefined,
  ])
    expect([uri, await answer(uri)]).toEqual([uri, [400, undefined]]);
  expect(await answer(BACK, 'nobody')).toEqual([400, undefined]);
  expect(await answer('http://127.0.0.1:5000/done')).toEqual([200, 'http://127.0.0.1:5000/done']);
  expect(await answer('https://s.example/cb?_target_url=%2F')).toEqual([200, 'https://s.example/cb?_target_url=%2F']);
});

test('row 20: without PKCE, with `plain` or with a wrong verifier, a public application gets nothing', async () => {
  await using set = await start();
  const { hub, browser } = set;
  const { clientId } = await register(browser);
  for (const given of [
    { code_challenge: undefined, code_challenge_method: undefined },
    { code_challenge_method: 'plain' },
    { code_challenge_method: undefined },
    { code_challenge: 'short' },
  ]) {
    const { told } = await allow(browser, asking(clientId, given));
    expect([given, told.error, told.state, 'code' in told]).toEqual([
      given,
      'invalid_request',
      'a state & more',
      false,
    ]);
  }
  const { code } = await allow(browser, asking(clientId));
  expect((await exchange(hub, code, { code_verifier: 'w'.repeat(43) })).body.error).toBe('invalid_grant');
  expect((await exchange(hub, code, { redirect_uri: `${BACK}/` })).body.error).toBe('invalid_grant');
  expect((await exchange(hub, code)).status).toBe(200);
});

test('an application gets an error for what it may not request, and for a refusal', async () => {
  await using set = await start();
  const { browser } = set;
  const { clientId } = await register(browser);
  const error = async (given: Record<string, string | undefined>) =>
    (await allow(browser, asking(clientId, given))).told.error;
  expect(await error({ scope: 'openid manage-repos' })).toBe('invalid_scope');
  expect(await error({ scope: 'openid everything' })).toBe('invalid_scope');
  expect(await error({ response_type: 'token' })).toBe('unsupported_response_type');
  expect(await error({ prompt: 'none' })).toBe('consent_required');
  const { body } = await browser.ask('POST /api/oauth/authorize', { ...asking(clientId), decision: 'deny' });
  expect(new URL(body.location).searchParams.get('error')).toBe('access_denied');
});

test('row 21: an application reaches what its scopes and the selected organizations allow, and no more', async () => {
  await using set = await start();
  const { hub, browser } = set;
  await hub.apply({
    organizations: ['acme', 'globex'].map((name) => ({ name, members: [{ user: 'ada', role: 'admin' as const }] })),
  });
  for (const name of ['ada/secret', 'acme/secret', 'globex/secret'])
    await createRepo({ ...hub.as('ada'), repo: name, type: 'model', private: true });
  const { clientId } = await register(browser);
  const tokenWith = async (scope: string) => {
    const { code } = await allow(browser, asking(clientId, { scope }), ['acme']);
    return (await exchange(hub, code)).body.access_token as string;
  };
  const statusOf = async (token: string, request: string, body?: unknown) => {
    const [method = '', path = ''] = request.split(' ');
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    return (await fetch(hub.url + path, init)).status;
  };
  const reads = await tokenWith('openid read-repos');
  const knows = await tokenWith('openid profile');
  for (const [token, path, expected] of [
    [reads, 'ada/secret', 200],
    [reads, 'acme/secret', 200],
    [reads, 'globex/secret', 404],
    [knows, 'ada/secret', 404],
    [knows, 'acme/secret', 404],
  ] as const)
    expect([path, await statusOf(token, `GET /api/models/${path}`)]).toEqual([path, expected]);
  for (const request of [
    ['POST /api/repos/create', { name: 'new', type: 'model' }],
    ['POST /api/settings/tokens', { displayName: 'more', role: 'write' }],
    ['POST /api/settings/applications', { name: 'mine' }],
    ['GET /api/settings/grants'],
    ['GET /api/notifications'],
    ['GET /api/settings/webhooks'],
    ['PUT /api/admin/hub', {}],
  ] as const)
    expect([request, await statusOf(reads, request[0], request[1])]).toEqual([request, 403]);
  const who = (await whoIs(hub, knows)).body;
  expect([who.orgs.map(({ name }: { name: string }) => name), who.email]).toEqual([['acme'], undefined]);
});

test('organizations control applications: policies and revocations apply, and their logs name who acted', async () => {
  await using set = await start();
  const { hub, browser } = set;
  await hub.people('olga');
  await hub.apply({
    organizations: [
      {
        name: 'acme',
        plan: 'enterprise',
        members: [
          { user: 'olga', role: 'admin' },
          { user: 'ada', role: 'write' },
        ],
      },
    ],
  });
  await createRepo({ ...hub.as('olga'), repo: 'acme/secret', type: 'model', private: true });
  const { clientId } = await register(browser, { scopes: ['openid', 'manage-repos'] });
  const { code } = await allow(browser, asking(clientId, { scope: 'openid manage-repos' }), ['acme']);
  const { access_token } = (await exchange(hub, code)).body;
  const application = hub.with(access_token);
  await createRepo({ ...application, repo: 'acme/made', type: 'model' });
  const events = await collect(listAuditLog({ ...hub.as('olga'), name: 'acme' }));
  expect(events.find(({ type }) => type === 'repo.create')?.oauth).toEqual({ clientId, name: 'Reader' });
  expect(events.find(({ type }) => type === 'oauth.token')).toMatchObject({ author: { user: 'ada' } });

  const secret = () => status(getRepo({ ...application, type: 'model', repo: 'acme/secret' }));
  expect(await secret()).toBe(200);
  // olga needs a browser, since the policy would refuse her own token.
  const olga = await withPassword(hub, 'olga');
  const fine = await olga.ask('PATCH /api/organizations/acme/settings/tokens/policy', { policy: 'fine-grained' });
  expect(fine.status).toBe(200);
  expect(await secret()).toBe(200);
  const approval = await olga.ask('PATCH /api/organizations/acme/settings/tokens/policy', { policy: 'approval' });
  expect(approval.status).toBe(200);
  expect(await secret()).toBe(403);
  const [held] = await collect(listMemberTokens({ ...hub.as('olga'), name: 'acme' }));
  await approveMemberToken({ ...hub.as('olga'), name: 'acme', tokenId: held?.id ?? '' });
  expect(await secret()).toBe(200);
  await revokeMemberTokenById({ ...hub.as('olga'), name: 'acme', tokenId: held?.id ?? '' });
  expect(await secret()).toBe(403);
});

test('keys rotate after 90 days, and the previous one is published for a week', async () => {
  await using set = await start();
  const { hub } = set;
  const kids = async () => {
    await hub.drain();
    const { keys } = (await (await fetch(`${hub.url}/oauth/jwks`)).json()) as { keys: { kid: string }[] };
    return keys.map(({ kid }) => kid);
  };
  const [first] = await kids();
  hub.clock.advance(89 * DAY);
  expect(await kids()).toEqual([first]);
  hub.clock.advance(DAY);
  const [second, ...rest] = await kids();
  expect([second === first, rest]).toEqual([false, [first]]);
  hub.clock.advance(8 * DAY);
  expect(await kids()).toEqual([second]);
});

test('an application can be changed, and is deleted with all its grants', async () => {
  await using set = await start();
  const { hub, browser } = set;
  const { clientId } = await register(browser);
  const { code } = await allow(browser, asking(clientId));
  const { access_token } = (await exchange(hub, code)).body;
  const path = `/api/settings/applications/${clientId}`;
  const bad = await browser.ask(`PATCH ${path}`, { redirectUris: ['http://evil.example/'] });
  expect([bad.status, bad.body.error]).toEqual([400, expect.stringContaining('body.redirectUris.0')]);
  expect((await browser.ask(`PATCH ${path}`, { name: 'Writer' })).body).toMatchObject({ name: 'Writer', clientId });
  expect((await browser.ask('GET /api/settings/applications')).body).toMatchObject([{ name: 'Writer' }]);
  await hub.people('bob');
  const other = await withPassword(hub, 'bob');
  expect((await other.ask(`PATCH ${path}`, { name: 'Mine' })).status).toBe(404);
  expect((await other.ask(`DELETE ${path}`)).status).toBe(404);
  expect((await browser.ask(`DELETE ${path}`)).status).toBe(200);
  expect((await whoIs(hub, access_token)).status).toBe(401);
  expect((await browser.ask('GET /api/settings/grants')).body).toEqual([]);
  // The hub does not list the tokens of applications among the user's own.
  expect(((await browser.ask('GET /api/settings/tokens')).body as unknown[]).length).toBe(1);
});
