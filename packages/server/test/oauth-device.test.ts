import { endUserGrant, listUserGrants } from '@moonbase/client/applications';
import { createRepo } from '@moonbase/client/repositories';
import { disableUser, enableUser } from '@moonbase/client/users';
import { expect, test } from 'vitest';
import { ask } from './ask.ts';
import { openBrowser } from './browser.ts';
import { MINUTE } from './clock.ts';
import { person, startHub, type TestHub, tokenOf } from './harness.ts';
import { COMMAND_LINE_ID, DEVICE_GRANT, openProgram, sendForm, whoIs } from './oauth-programs.ts';
import { plainHashing } from './plain-hashing.ts';
import { PASSWORD, withPassword } from './signed-in.ts';
import { startMailServer } from './smtp-server.ts';

const SECOND = 1000;
const DAY = 24 * 60 * MINUTE;

const start = (settings = {}) => startHub(settings, { hashing: plainHashing });

type Browser = Awaited<ReturnType<typeof withPassword>>;

const decide = (browser: Browser, userCode: string, decision = 'allow', organizations: readonly string[] = []) =>
  browser.ask('POST /api/oauth/device/decision', { userCode, decision, organizations });

/** Logs a program of ada in. */
async function loggedIn(hub: TestHub, browser: Browser, organizations: readonly string[] = [], clientId?: string) {
  const program = await openProgram(hub, clientId);
  expect((await decide(browser, program.userCode, 'allow', organizations)).status).toBe(200);
  const { body } = await program.poll();
  return { ...program, tokens: body as { access_token: string; refresh_token: string } };
}

test('a program logs in with a code that its user confirms, and acts as the user for 30 days', async () => {
  await using hub = await start();
  await hub.people('ada');
  const browser = await withPassword(hub, 'ada');
  const { begun, poll } = await openProgram(hub);
  expect(begun).toEqual({
    device_code: expect.stringMatching(/^[\w-]{43}$/),
    user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
    verification_uri: `${hub.url}/oauth/device`,
    verification_uri_complete: `${hub.url}/oauth/device?user_code=${begun.user_code}`,
    expires_in: 900,
    interval: 5,
  });
  expect(await poll()).toMatchObject({ status: 400, body: { error: 'authorization_pending' } });
  expect((await decide(browser, begun.user_code.toLowerCase().replace('-', ' '))).status).toBe(200);
  hub.clock.advance(5 * SECOND);
  const { status, body, headers } = await poll();
  expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(body).toMatchObject({ token_type: 'bearer', expires_in: 30 * 24 * 3600 });
  expect(body.access_token).toMatch(/^hf_oauth_[0-9A-Za-z]{34}$/);
  expect(await whoIs(hub, body.access_token)).toMatchObject({
    status: 200,
    body: {
      name: 'ada',
      auth: { type: 'oauth', expiresAt: new Date(hub.clock.now() + 30 * DAY).toISOString() },
    },
  });
  expect((await whoIs(hub, body.access_token)).body.auth).not.toHaveProperty('accessToken');
  await createRepo({ ...hub.with(body.access_token), repo: 'ada/bert', type: 'model', private: true });
  expect((await whoIs(hub, body.refresh_token)).status).toBe(401);
  hub.clock.advance(30 * DAY);
  expect((await whoIs(hub, body.access_token)).status).toBe(401);
});

test('the endpoint accepts JSON as well, and refuses with the error codes of OAuth', async () => {
  await using hub = await start();
  const send = (path: string, body: unknown) =>
    fetch(hub.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const begun = await send('/oauth/device', { client_id: COMMAND_LINE_ID });
  expect(begun.status).toBe(200);
  const { device_code } = (await begun.json()) as { device_code: string };
  const pending = await send('/oauth/token', { grant_type: DEVICE_GRANT, client_id: COMMAND_LINE_ID, device_code });
  expect([pending.status, await pending.json()]).toEqual([
    400,
    { error: 'authorization_pending', error_description: expect.any(String) },
  ]);
  const refusals: [path: string, fields: Record<string, string>, status: number, error: string][] = [
    ['/oauth/device', {}, 400, 'invalid_request'],
    ['/oauth/device', { client_id: 'nobody' }, 401, 'invalid_client'],
    ['/oauth/token', {}, 400, 'invalid_request'],
    ['/oauth/token', { grant_type: 'password', client_id: COMMAND_LINE_ID }, 400, 'unsupported_grant_type'],
    ['/oauth/token', { grant_type: DEVICE_GRANT, client_id: COMMAND_LINE_ID }, 400, 'invalid_request'],
    ['/oauth/token', { grant_type: DEVICE_GRANT, device_code }, 400, 'invalid_request'],
    [
      '/oauth/token',
      { grant_type: 'refresh_token', client_id: COMMAND_LINE_ID, refresh_token: 'x' },
      400,
      'invalid_grant',
    ],
  ];
  for (const [path, fields, status, error] of refusals) {
    const answer = await sendForm(hub, path, fields);
    expect([path, fields, answer.status, answer.body.error]).toEqual([path, fields, status, error]);
  }
  const twice = await fetch(`${hub.url}/oauth/device`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'client_id=a&client_id=b',
  });
  expect(twice.status).toBe(400);
});

test('row 14: the page names the program and what it may do; only a user who signed in recently can authorize it, and gets a mail', async () => {
  await using hub = await start();
  await hub.people('ada');
  await hub.apply({ organizations: [{ name: 'acme', members: [{ user: 'ada', role: 'read' }] }] });
  const browser = await withPassword(hub, 'ada');
  const { userCode, poll } = await openProgram(hub);
  const shown = await browser.ask('POST /api/oauth/device/request', { userCode });
  expect(shown).toMatchObject({
    status: 200,
    body: {
      application: { clientId: COMMAND_LINE_ID, name: 'Hugging Face CLI' },
      organizations: [{ name: 'acme', selected: true }],
      address: '127.0.0.1',
      createdAt: new Date(hub.clock.now()).toISOString(),
      expiresAt: new Date(hub.clock.now() + 15 * MINUTE).toISOString(),
    },
  });
  expect(shown.body.scopes).toContainEqual({ name: 'jobs', description: 'Run jobs and read their logs' });

  // No token authorizes a program, nor does a session of a token.
  const withToken = openBrowser(hub);
  expect((await withToken.ask('POST /api/sign-in/token', { token: tokenOf('ada') })).status).toBe(200);
  const bearer = { authorization: `Bearer ${tokenOf('ada')}` };
  for (const [asker, headers] of [
    [withToken, {}],
    [openBrowser(hub), bearer],
  ] as const)
    for (const path of ['request', 'decision']) {
      const body = { userCode, decision: 'allow' };
      expect((await asker.ask(`POST /api/oauth/device/${path}`, body, headers)).status).toBe(403);
    }
  // A page of another origin cannot authorize it either.
  const foreign = openBrowser(hub, { origin: 'http://127.0.0.1:1' });
  for (const [name, value] of browser.cookies) foreign.cookies.set(name, value);
  expect((await decide(foreign, userCode)).status).toBe(403);

  hub.clock.advance(10 * MINUTE);
  const late = await decide(browser, userCode);
  expect([late.status, late.headers.get('x-error-code')]).toEqual([403, 'RecentSignInNeeded']);
  expect((await poll()).body.error).toBe('authorization_pending');
  expect((await browser.ask('POST /api/sign-in', { name: 'ada', password: PASSWORD })).status).toBe(200);
  expect((await decide(browser, userCode, 'allow', ['elsewhere'])).status).toBe(400);
  expect((await decide(browser, userCode, 'allow', ['acme'])).status).toBe(200);
  expect((await decide(browser, userCode)).status).toBe(404);

  const [grant] = (await browser.ask('GET /api/settings/grants')).body;
  expect(grant).toMatchObject({
    application: { name: 'Hugging Face CLI' },
    organizations: ['acme'],
    address: '127.0.0.1',
  });
  const { access_token } = (await poll()).body;
  expect((await whoIs(hub, access_token)).status).toBe(200);
  expect((await browser.ask(`DELETE /api/settings/grants/${grant.id}`)).status).toBe(200);
  expect((await whoIs(hub, access_token)).status).toBe(401);
  expect((await browser.ask('GET /api/settings/grants')).body).toEqual([]);
});

test('row 15: guesses of codes are limited to ten, by session and by address', async () => {
  await using hub = await start({ MOONBASE_TRUSTED_PROXIES: '127.0.0.1' });
  await hub.people('ada', 'bob');
  const browser = await withPassword(hub, 'ada');
  const other = await withPassword(hub, 'bob');
  const { userCode } = await openProgram(hub);
  const look = (asker: Browser, code: string, address: string) =>
    asker.ask('POST /api/oauth/device/request', { userCode: code }, { 'x-forwarded-for': address });
  const answers = [];
  for (let at = 0; at < 11; at++) answers.push((await look(browser, 'BBBB-BBBB', `203.0.113.${at}`)).status);
  expect(answers).toEqual([...Array(10).fill(404), 429]);
  expect((await look(browser, userCode, '198.51.100.1')).status).toBe(429);
  expect((await look(other, userCode, '203.0.113.0')).status).toBe(200);
  for (let at = 0; at < 10; at++) expect((await look(other, 'CCCC-CCCC', '192.0.2.1')).status).toBe(404);
  const fresh = openBrowser(hub);
  await fresh.ask('POST /api/sign-in', { name: 'bob', password: PASSWORD });
  expect((await look(fresh, userCode, '192.0.2.1')).status).toBe(429);
  expect((await look(fresh, userCode, '192.0.2.2')).status).toBe(200);
  hub.clock.advance(15 * MINUTE);
  expect((await look(browser, userCode, '203.0.113.0')).status).toBe(404);
});

test('row 16: a code is polled slowly, yields tokens once, to its own program, and nothing after a refusal', async () => {
  await using hub = await start();
  await hub.people('ada');
  const browser = await withPassword(hub, 'ada');
  const { userCode, poll, begun } = await openProgram(hub);
  const errors = [];
  for (const seconds of [0, 1, 5, 15, 15]) {
    hub.clock.advance(seconds * SECOND);
    const { status, body } = await poll();
    errors.push([status, body.error]);
  }
  expect(errors).toEqual([
    [400, 'authorization_pending'],
    [400, 'slow_down'],
    [400, 'slow_down'],
    [400, 'authorization_pending'],
    [400, 'authorization_pending'],
  ]);
  const made = await browser.ask('POST /api/settings/applications', { name: 'other' });
  const stolen = { grant_type: DEVICE_GRANT, device_code: begun.device_code, client_id: made.body.clientId };
  await decide(browser, userCode);
  expect((await sendForm(hub, '/oauth/token', stolen)).body.error).toBe('invalid_grant');
  expect((await poll()).status).toBe(200);
  expect((await poll()).body.error).toBe('invalid_grant');

  const refused = await openProgram(hub);
  expect((await decide(browser, refused.userCode, 'deny')).status).toBe(200);
  expect((await refused.poll()).body.error).toBe('access_denied');
  expect((await decide(browser, refused.userCode)).status).toBe(404);

  const slow = await openProgram(hub);
  hub.clock.advance(15 * MINUTE);
  expect((await slow.poll()).body.error).toBe('expired_token');
  expect((await decide(browser, slow.userCode)).status).toBe(404);
});

test('a program that exceeds the rate limit of the hub is told to slow down, with an error code that it understands', async () => {
  await using hub = await start({ MOONBASE_RATE_LIMITS: 'anonymous=3,free=5' });
  const { poll } = await openProgram(hub);
  const answers = [];
  for (let at = 0; at < 30; at++) answers.push(await poll());
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400]));
  expect(answers.at(-1)?.body).toMatchObject({
    error: 'slow_down',
    error_description: expect.stringContaining('Too many requests'),
  });
});

test('row 18: a refresh token can be reused until a newer token is used; after that its program is logged out', async () => {
  await using hub = await start();
  await hub.people('ada');
  const browser = await withPassword(hub, 'ada');
  const { refresh, tokens } = await loggedIn(hub, browser);
  hub.clock.advance(29 * DAY);
  // The answer is lost in transit, and the program repeats the request with its old token.
  const lost = await refresh(tokens.refresh_token);
  const again = await refresh(tokens.refresh_token);
  expect([lost.status, again.status]).toEqual([200, 200]);
  expect((await whoIs(hub, tokens.access_token)).status).toBe(200);
  expect((await whoIs(hub, again.body.access_token)).status).toBe(200);
  expect((await refresh(tokens.refresh_token)).body.error).toBe('invalid_grant');
  for (const token of [again.body.access_token, tokens.access_token, lost.body.access_token])
    expect((await whoIs(hub, token)).status).toBe(401);
  expect((await refresh(again.body.refresh_token)).body.error).toBe('invalid_grant');
});

test('a login that is refreshed every 29 days lasts for a year, and one that is unused for 90 days ends', async () => {
  await using hub = await start();
  await hub.people('ada');
  const { refresh, tokens } = await loggedIn(hub, await withPassword(hub, 'ada'));
  let last = tokens.refresh_token;
  for (let month = 0; month < 13; month++) {
    hub.clock.advance(29 * DAY);
    await hub.drain();
    const { status, body } = await refresh(last);
    expect([month, status]).toEqual([month, 200]);
    expect((await whoIs(hub, body.access_token)).status).toBe(200);
    last = body.refresh_token;
  }
  hub.clock.advance(90 * DAY);
  await hub.drain();
  expect((await refresh(last)).body.error).toBe('invalid_grant');
  hub.clock.advance(2 * DAY);
  await hub.drain();
  const left = await hub.database.read.selectFrom('oauth_grants').select('id').execute();
  expect(left).toEqual([]);
});

test('row 28: neither tokens nor codes are stored in clear in the database', async () => {
  await using hub = await start();
  await hub.people('ada');
  const browser = await withPassword(hub, 'ada');
  const waiting = await openProgram(hub);
  const { tokens, begun } = await loggedIn(hub, browser);
  const secrets = [
    ...[tokens.access_token, tokens.refresh_token, begun.device_code, begun.user_code],
    ...[waiting.begun.device_code, waiting.userCode, waiting.userCode.replace('-', '')],
  ];
  for (const table of ['oauth_codes', 'oauth_tokens', 'oauth_grants', 'tokens', 'events'] as const) {
    const text = JSON.stringify(await hub.database.read.selectFrom(table).selectAll().execute());
    for (const secret of secrets) expect(text).not.toContain(secret);
  }
});

test('row 29: a disabled user logs no program in, and earlier logins are unknown until the user is enabled again', async () => {
  await using hub = await start();
  await hub.people('ada');
  const browser = await withPassword(hub, 'ada');
  const { refresh, tokens } = await loggedIn(hub, browser);
  const waiting = await openProgram(hub);
  await decide(browser, waiting.userCode);
  await disableUser({ ...hub.admin, username: 'ada' });
  expect((await whoIs(hub, tokens.access_token)).status).toBe(401);
  expect((await refresh(tokens.refresh_token)).body.error).toBe('invalid_grant');
  expect((await waiting.poll()).body.error).toBe('access_denied');
  await enableUser({ ...hub.admin, username: 'ada' });
  expect((await whoIs(hub, tokens.access_token)).status).toBe(200);
  expect((await refresh(tokens.refresh_token)).status).toBe(200);
});

test('row 30: the applications of an account are gone with it, and a new account of that name has none of them', async () => {
  await using hub = await start();
  await hub.people('ada');
  const { refresh, tokens } = await loggedIn(hub, await withPassword(hub, 'ada'));
  await fetch(`${hub.url}/api/users/ada`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${hub.admin.accessToken}` },
  });
  await hub.drain();
  await hub.people('ada');
  expect((await whoIs(hub, tokens.access_token)).status).toBe(401);
  expect((await refresh(tokens.refresh_token)).body.error).toBe('invalid_grant');
  const browser = await withPassword(hub, 'ada');
  expect((await browser.ask('GET /api/settings/grants')).body).toEqual([]);
});

test('one address has at most a hundred waiting logins', async () => {
  await using hub = await start();
  for (let at = 0; at < 100; at++) await openProgram(hub);
  const { status, headers } = await sendForm(hub, '/oauth/device', { client_id: COMMAND_LINE_ID });
  expect([status, headers.get('retry-after')]).toEqual([429, '60']);
  hub.clock.advance(15 * MINUTE);
  expect((await sendForm(hub, '/oauth/device', { client_id: COMMAND_LINE_ID })).status).toBe(200);
});

test('a user gets a mail when a program logs in, and when its refresh token is used twice', async () => {
  await using server = await startMailServer();
  await using hub = await start({ MOONBASE_SMTP_URL: server.url, MOONBASE_MAIL_FROM: 'hub@example.com' });
  await hub.apply({ users: [{ ...person('ada'), email: 'ada@example.com' }] });
  const { refresh, tokens } = await loggedIn(hub, await withPassword(hub, 'ada'));
  const { body } = await refresh(tokens.refresh_token);
  await whoIs(hub, body.access_token);
  await refresh(tokens.refresh_token);
  await hub.drain();
  const mails = server.received().map(({ subject, text = '' }) => ({ subject, text }));
  expect(mails.map(({ subject = '' }) => subject).toSorted((a, b) => a.localeCompare(b))).toEqual([
    'Hugging Face CLI was logged in to your account',
    'Hugging Face CLI was logged out of your account',
  ]);
  for (const { text } of mails) expect(text).toContain('/settings/applications');
  for (const { text } of mails) expect(text).not.toMatch(/hf_|[A-Z]{4}-[A-Z]{4}/);
});

test('an access token that a program created ends with the login, unless the program logs out by itself', async () => {
  await using hub = await start();
  await hub.people('ada');
  const browser = await withPassword(hub, 'ada');
  const settings = ['user.settings.read', 'user.settings.write'];
  const { body: ada } = await whoIs(hub, tokenOf('ada'));
  const scoped = [{ entity: { _id: ada.id, type: 'user' }, permissions: settings }];
  let created = 0;
  const create = async (accessToken: string) => {
    const wish = { displayName: `made ${++created}`, role: 'fineGrained', fineGrained: { scoped } };
    const expiresAt = new Date(hub.clock.now() + DAY).toISOString();
    const answer = await ask({ hubUrl: hub.url, accessToken }, 'POST /api/settings/tokens', { ...wish, expiresAt });
    return ((await answer.json()) as { token: string }).token;
  };
  const program = async () => {
    const opened = await loggedIn(hub, browser, [], 'moonbase-cli');
    const made = await create(opened.tokens.access_token);
    return { ...opened, made, ofMade: await create(made) };
  };
  const statuses = (tokens: readonly string[]) =>
    Promise.all(tokens.map(async (each) => (await whoIs(hub, each)).status));

  const distrusted = await program();
  expect(await statuses([distrusted.made, distrusted.ofMade])).toEqual([200, 200]);
  const [grant] = (await browser.ask('GET /api/settings/grants')).body;
  expect((await browser.ask(`DELETE /api/settings/grants/${grant.id}`)).status).toBe(200);
  expect(await statuses([distrusted.tokens.access_token, distrusted.made, distrusted.ofMade])).toEqual([401, 401, 401]);

  const shared = await program();
  const { body: renewed } = await shared.refresh(shared.tokens.refresh_token);
  await whoIs(hub, renewed.access_token);
  await shared.refresh(shared.tokens.refresh_token);
  expect(await statuses([renewed.access_token, shared.made, shared.ofMade])).toEqual([401, 401, 401]);

  const leaked = await program();
  await ask({ hubUrl: hub.url }, 'POST /api/credentials/revoke', { credentials: [leaked.tokens.access_token] });
  expect(await statuses([leaked.tokens.access_token, leaked.made, leaked.ofMade])).toEqual([401, 401, 401]);
  const plain = await create(tokenOf('ada'));
  const ofPlain = await create(plain);
  await ask({ hubUrl: hub.url }, 'POST /api/credentials/revoke', { credentials: [plain] });
  expect(await statuses([plain, ofPlain])).toEqual([401, 401]);

  const left = await program();
  await sendForm(hub, '/oauth/revoke', { client_id: 'moonbase-cli', token: left.tokens.refresh_token });
  expect(await statuses([left.tokens.access_token, left.made, left.ofMade])).toEqual([401, 200, 200]);
  expect(await statuses([tokenOf('ada')])).toEqual([200]);
});

test('a program must log in again after the token lifetime that an organization allows', async () => {
  await using hub = await start();
  await hub.people('ada', 'olga');
  const members = [
    { user: 'olga', role: 'admin' as const },
    { user: 'ada', role: 'write' as const },
  ];
  await hub.apply({ organizations: [{ name: 'acme', plan: 'enterprise', members }] });
  await createRepo({ ...hub.as('olga'), repo: 'acme/secret', type: 'model', private: true });
  const olga = await withPassword(hub, 'olga');
  const limit = { maxDays: 40 };
  expect((await olga.ask('PATCH /api/organizations/acme/settings/tokens/policy', limit)).status).toBe(200);
  const { refresh, tokens } = await loggedIn(hub, await withPassword(hub, 'ada'), ['acme']);
  const reads = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` };
    return (await fetch(`${hub.url}/api/models/acme/secret`, { headers })).status;
  };
  expect(await reads(tokens.access_token)).toBe(200);
  hub.clock.advance(29 * DAY);
  const { body } = await refresh(tokens.refresh_token);
  expect(await reads(body.access_token)).toBe(403);
  const again = await loggedIn(hub, await withPassword(hub, 'ada'), ['acme']);
  expect(await reads(again.tokens.access_token)).toBe(200);
});

test('site administrators see which programs may act for a user, and can end that', async () => {
  await using hub = await start();
  await hub.people('ada', 'bob');
  const browser = await withPassword(hub, 'ada');
  const { tokens } = await loggedIn(hub, browser);
  const about = { ...hub.admin, username: 'ada' };
  const [grant, ...others] = await listUserGrants(about);
  expect([others, grant]).toEqual([[], (await browser.ask('GET /api/settings/grants')).body[0]]);
  const grantId = grant?.id ?? '';
  for (const call of [listUserGrants, (params: typeof about) => endUserGrant({ ...params, grantId })]) {
    await expect(call({ ...hub.as('bob'), username: 'ada' })).rejects.toMatchObject({ status: 403 });
    await expect(call({ ...hub.admin, username: 'nobody' })).rejects.toMatchObject({ status: 404 });
  }
  await expect(endUserGrant({ ...hub.admin, username: 'bob', grantId })).rejects.toMatchObject({ status: 404 });
  await endUserGrant({ ...about, grantId });
  expect([await listUserGrants(about), (await whoIs(hub, tokens.access_token)).status]).toEqual([[], 401]);
});
