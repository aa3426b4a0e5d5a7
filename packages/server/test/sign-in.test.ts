import { deleteUser, disableUser, enableUser } from '@moonbase/client/users';
import { expect, test } from 'vitest';
import { openBrowser } from './browser.ts';
import { MINUTE } from './clock.ts';
import { startHub, type TestHub, tokenOf } from './harness.ts';
import { plainHashing } from './plain-hashing.ts';
import { linkFor, PASSWORD, withPassword } from './signed-in.ts';

const WRONG = 'eight noisy herons';
const DAY = 24 * 60 * MINUTE;

const signIn = (hub: TestHub, name: string, password: string, browser = openBrowser(hub)) =>
  browser.ask('POST /api/sign-in', { name, password });

test('an invited user sets a password by a link, signs in by name and by address, and signs out', async () => {
  await using hub = await startHub();
  await hub.apply({ users: [{ name: 'ada', fullname: 'Ada L', email: 'ada@example.com' }] });
  const link = await linkFor(hub, 'ada');
  const first = openBrowser(hub);
  expect((await first.ask(`GET ${link}`)).body).toEqual({
    ...{ purpose: 'invite', user: 'ada', passwordMin: 15 },
    expiresAt: new Date(hub.clock.now() + 7 * DAY).toISOString(),
  });
  expect((await first.ask(`POST ${link}`, { password: PASSWORD })).body).toMatchObject({
    user: { name: 'ada', fullname: 'Ada L' },
    expiresAt: new Date(hub.clock.now() + 30 * DAY).toISOString(),
  });
  expect((await first.ask('GET /api/whoami-v2')).body).toMatchObject({ name: 'ada', auth: { type: 'session' } });

  for (const name of ['ada', 'ADA', 'Ada@Example.com']) {
    const browser = openBrowser(hub);
    expect(await signIn(hub, name, PASSWORD, browser)).toMatchObject({ status: 200, body: { user: { name: 'ada' } } });
    expect((await browser.ask('GET /api/whoami-v2')).status).toBe(200);
  }
  expect((await first.ask('POST /api/sign-out', {})).status).toBe(200);
  expect(first.cookies.size).toBe(0);
  expect((await first.ask('GET /api/whoami-v2')).status).toBe(401);
});

test('a session has all rights of its user: repositories, settings, unlimited access tokens', async () => {
  await using hub = await startHub();
  await hub.people('ada');
  const browser = await withPassword(hub, 'ada');
  expect((await browser.ask('POST /api/repos/create', { name: 'bert', type: 'model' })).status).toBe(200);
  const made = await browser.ask('POST /api/settings/tokens', { displayName: 'laptop', role: 'write' });
  expect(made.status).toBe(200);
  const answer = await fetch(`${hub.url}/api/whoami-v2`, { headers: { authorization: `Bearer ${made.body.token}` } });
  expect(answer.status).toBe(200);
});

test('row 1: signing in creates a new session, and ends a planted one', async () => {
  await using hub = await startHub();
  await hub.people('ada', 'mallory');
  const planted = await withPassword(hub, 'mallory');
  await withPassword(hub, 'ada');
  const [[name = '', before = ''] = []] = planted.cookies;
  expect((await signIn(hub, 'ada', PASSWORD, planted)).status).toBe(200);
  expect(planted.cookies.get(name)).not.toBe(before);
  const other = openBrowser(hub);
  other.cookies.set(name, before);
  expect((await other.ask('GET /api/whoami-v2')).status).toBe(401);
  other.cookies.set(name, 'a'.repeat(43));
  expect((await signIn(hub, 'ada', PASSWORD, other)).status).toBe(200);
  expect(other.cookies.get(name)).not.toBe('a'.repeat(43));
});

test('row 2: pages of other origins and ports cannot sign in, and their requests ignore cookies', async () => {
  await using hub = await startHub({ MOONBASE_HOST: '127.0.0.1', MOONBASE_TRUSTED_PROXIES: '10.0.0.1' });
  await hub.people('ada');
  const own = await withPassword(hub, 'ada');
  for (const origin of ['https://evil.example', 'http://127.0.0.1:1', 'null']) {
    const foreign = openBrowser(hub, { origin });
    const answer = await signIn(hub, 'ada', PASSWORD, foreign);
    expect([origin, answer.status, answer.cookie]).toEqual([origin, 403, null]);
    expect((await foreign.ask('POST /api/sign-in/token', { token: tokenOf('ada') })).status).toBe(403);
    for (const [name, value] of own.cookies) foreign.cookies.set(name, value);
    expect((await foreign.ask('GET /api/whoami-v2')).status).toBe(401);
    expect((await foreign.ask('POST /api/repos/create', { name: 'bert', type: 'model' })).status).toBe(401);
    expect((await foreign.ask('POST /api/sign-out', {})).status).toBe(403);
  }
  for (const site of ['cross-site', 'same-site', 'none'])
    expect((await own.ask('GET /api/whoami-v2', undefined, { 'sec-fetch-site': site })).status).toBe(401);
  expect((await own.ask('GET /api/whoami-v2')).status).toBe(200);
});

test('row 22: guesses are throttled by address, and the owner can sign in from elsewhere', async () => {
  const behindProxy = { MOONBASE_TRUSTED_PROXIES: '127.0.0.1' };
  await using hub = await startHub(behindProxy, { hashing: plainHashing });
  await hub.people('ada', 'bob');
  await withPassword(hub, 'ada');
  await withPassword(hub, 'bob');
  const from = (address: string, name: string, password: string) =>
    openBrowser(hub).ask('POST /api/sign-in', { name, password }, { 'x-forwarded-for': address });

  // For one name from many addresses, each address waits longer and longer.
  for (let host = 1; host <= 50; host++) {
    const address = `203.0.113.${host}`;
    const answers = [];
    for (let attempt = 0; attempt < 6; attempt++) answers.push((await from(address, 'ada', WRONG)).status);
    expect(answers).toEqual([401, 401, 401, 401, 401, 429]);
  }
  const refused = await from('203.0.113.1', 'ada', PASSWORD);
  expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, 10]);
  expect((await from('198.51.100.7', 'ada', PASSWORD)).status).toBe(200);
  hub.clock.advance(11_000);
  expect((await from('203.0.113.1', 'ada', WRONG)).status).toBe(401);
  expect((await from('203.0.113.1', 'ada', PASSWORD)).headers.get('retry-after')).toBe('20');

  // For one password and many names, the address waits.
  const many = [];
  for (let at = 0; at < 25; at++) many.push((await from('192.0.2.9', `name-${at}`, WRONG)).status);
  expect(many).toEqual([...Array(20).fill(401), ...Array(5).fill(429)]);
  expect((await from('192.0.2.9', 'bob', PASSWORD)).status).toBe(429);
  expect((await from('192.0.2.10', 'bob', PASSWORD)).status).toBe(200);
  hub.clock.advance(15 * MINUTE);
  expect((await from('192.0.2.9', 'bob', PASSWORD)).status).toBe(200);
});

test('row 23: unknown, disabled and passwordless users get the response for a wrong password', async () => {
  await using hub = await startHub();
  await hub.people('ada', 'bob', 'carol');
  await hub.apply({ organizations: [{ name: 'acme' }] });
  await withPassword(hub, 'ada');
  await withPassword(hub, 'bob');
  await disableUser({ ...hub.admin, username: 'bob' });
  const answers = [];
  for (const name of ['ada', 'bob', 'carol', 'nobody', 'acme', 'nobody@example.com']) {
    const { status, body, headers } = await signIn(hub, name, name === 'bob' ? PASSWORD : WRONG);
    answers.push({ status, body, cookie: headers.get('set-cookie') });
  }
  expect(answers).toEqual(
    answers.map(() => ({ status: 401, body: { error: 'The name or the password is incorrect' }, cookie: null })),
  );
});

test('row 24: a link works once, for a limited time, and ends all other sessions', async () => {
  await using hub = await startHub();
  await hub.people('ada');
  const before = await withPassword(hub, 'ada');
  const replaced = await linkFor(hub, 'ada', 'reset');
  const link = await linkFor(hub, 'ada', 'reset');
  const browser = openBrowser(hub);
  expect((await browser.ask(`POST ${replaced}`, { password: 'nine distant herons' })).status).toBe(410);
  // Neither a look nor a refused password uses up the link.
  expect((await browser.ask(`GET ${link}`)).status).toBe(200);
  expect((await browser.ask(`POST ${link}`, { password: 'short' })).status).toBe(400);
  expect((await browser.ask(`POST ${link}`, { password: 'nine distant herons' })).status).toBe(200);
  expect((await before.ask('GET /api/whoami-v2')).status).toBe(401);
  for (const method of ['GET', 'POST'])
    expect(
      (await browser.ask(`${method} ${link}`, method === 'POST' ? { password: PASSWORD } : undefined)).status,
    ).toBe(410);
  expect((await signIn(hub, 'ada', PASSWORD)).status).toBe(401);
  expect((await signIn(hub, 'ada', 'nine distant herons')).status).toBe(200);

  const late = await linkFor(hub, 'ada', 'reset');
  hub.clock.advance(30 * MINUTE);
  expect((await browser.ask(`GET ${late}`)).status).toBe(410);
  expect((await browser.ask('GET /api/links/nobodyMadeThis')).status).toBe(404);
});

test('row 24: of two concurrent uses of a link one succeeds', async () => {
  await using hub = await startHub();
  await hub.people('ada');
  const link = await linkFor(hub, 'ada');
  const uses = await Promise.all(
    [1, 2, 3].map((at) => openBrowser(hub).ask(`POST ${link}`, { password: `${PASSWORD} ${at}` })),
  );
  expect(uses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 410, 410]);
});

test('row 27: the cookie is limited to the host, hidden from scripts, and sent over TLS only if the hub uses TLS', async () => {
  await using plain = await startHub();
  await plain.people('ada');
  const { cookie } = await openBrowser(plain).ask('POST /api/sign-in/token', { token: tokenOf('ada') });
  expect(cookie).toMatch(
    new RegExp(`^moonbase-${new URL(plain.url).port}=[\\w-]{43}; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax$`),
  );
  await using secure = await startHub({ MOONBASE_PUBLIC_URL: 'https://hub.example.com' });
  await secure.people('ada');
  const answer = await openBrowser(secure, { origin: 'https://hub.example.com' }).ask('POST /api/sign-in/token', {
    token: tokenOf('ada'),
  });
  expect(answer.cookie).toMatch(
    /^__Host-moonbase=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
});

test('row 29: a disabled user is signed out at once, and signed in again when enabled', async () => {
  await using hub = await startHub();
  await hub.people('ada');
  const browser = await withPassword(hub, 'ada');
  const link = await linkFor(hub, 'ada', 'reset');
  await disableUser({ ...hub.admin, username: 'ada' });
  expect((await browser.ask('GET /api/whoami-v2')).status).toBe(401);
  expect((await signIn(hub, 'ada', PASSWORD)).status).toBe(401);
  expect((await openBrowser(hub).ask(`POST ${link}`, { password: PASSWORD })).status).toBe(410);
  await expect(linkFor(hub, 'ada', 'reset')).rejects.toMatchObject({ status: 409 });
  await enableUser({ ...hub.admin, username: 'ada' });
  expect((await browser.ask('GET /api/whoami-v2')).status).toBe(200);
});

test('row 30: a new user with the name of a deleted one inherits no sessions, passwords or links', async () => {
  await using hub = await startHub();
  await hub.people('ada');
  const browser = await withPassword(hub, 'ada');
  const link = await linkFor(hub, 'ada', 'reset');
  await deleteUser({ ...hub.admin, username: 'ada' });
  await hub.people('ada');
  expect((await browser.ask('GET /api/whoami-v2')).status).toBe(401);
  expect((await signIn(hub, 'ada', PASSWORD)).status).toBe(401);
  expect((await openBrowser(hub).ask(`GET ${link}`)).status).toBe(404);
});

test('row 33: a new password ends the other sessions, and requires the old one after ten minutes', async () => {
  await using hub = await startHub();
  await hub.people('ada');
  await withPassword(hub, 'ada');
  const [here, there] = [openBrowser(hub), openBrowser(hub)];
  for (const browser of [here, there]) await signIn(hub, 'ada', PASSWORD, browser);
  hub.clock.advance(11 * MINUTE);
  const change = (body: object) => here.ask('PUT /api/settings/password', body);
  expect((await change({ password: 'nine distant herons' })).status).toBe(403);
  expect((await change({ password: 'nine distant herons', current: WRONG })).status).toBe(403);
  expect((await change({ password: 'nine distant herons', current: PASSWORD })).status).toBe(200);
  expect((await here.ask('GET /api/whoami-v2')).status).toBe(200);
  expect((await there.ask('GET /api/whoami-v2')).status).toBe(401);
  expect((await signIn(hub, 'ada', PASSWORD)).status).toBe(401);
});

test('an access token, and a session that acts as one, cannot set a password', async () => {
  await using hub = await startHub();
  await hub.people('ada');
  const browser = openBrowser(hub);
  expect((await browser.ask('POST /api/sign-in/token', { token: tokenOf('ada') })).status).toBe(200);
  expect((await browser.ask('PUT /api/settings/password', { password: PASSWORD })).status).toBe(403);
  const headers = { authorization: `Bearer ${tokenOf('ada')}` };
  expect((await openBrowser(hub).ask('PUT /api/settings/password', { password: PASSWORD }, headers)).status).toBe(403);
});

test('a session that a token began has the rights of the token, and ends with it', async () => {
  await using hub = await startHub();
  await hub.people('ada');
  const ada = openBrowser(hub);
  const asAda = { authorization: `Bearer ${tokenOf('ada')}` };
  const { body } = await ada.ask('POST /api/settings/tokens', { displayName: 'reader', role: 'read' }, asAda);
  const reading = openBrowser(hub);
  expect((await reading.ask('POST /api/sign-in/token', { token: body.token })).status).toBe(200);
  expect((await reading.ask('GET /api/whoami-v2')).body.auth).toMatchObject({
    type: 'session',
    accessToken: { role: 'read' },
  });
  expect((await reading.ask('POST /api/repos/create', { name: 'bert', type: 'model' })).status).toBe(403);
  await ada.ask(`DELETE /api/settings/tokens/${body.id}`, undefined, asAda);
  expect((await reading.ask('GET /api/whoami-v2')).status).toBe(401);
  expect((await ada.ask('POST /api/sign-in/token', { token: 'hf_nobodyHasThisToken' })).status).toBe(401);
});

test('a user sees where they are signed in, and ends one session or all others; site administrators end all', async () => {
  await using hub = await startHub();
  await hub.people('ada', 'bob');
  const here = await withPassword(hub, 'ada');
  const [there, elsewhere] = [openBrowser(hub), openBrowser(hub)];
  hub.clock.advance(2 * MINUTE);
  for (const browser of [there, elsewhere])
    await browser.ask('POST /api/sign-in', { name: 'ada', password: PASSWORD }, { 'user-agent': 'Firefox' });
  hub.clock.advance(2 * MINUTE);
  await here.ask('GET /api/whoami-v2');
  const { body: sessions } = await here.ask('GET /api/settings/sessions');
  expect(sessions).toHaveLength(3);
  expect(sessions[0]).toMatchObject({ current: true, method: 'link', seenAt: new Date(hub.clock.now()).toISOString() });
  expect(sessions[1]).toMatchObject({ current: false, method: 'password', userAgent: 'Firefox', address: '127.0.0.1' });

  const bob = await withPassword(hub, 'bob');
  expect((await bob.ask(`DELETE /api/settings/sessions/${sessions[1].id}`)).status).toBe(404);
  expect((await here.ask(`DELETE /api/settings/sessions/${sessions[1].id}`)).status).toBe(200);
  expect((await here.ask('DELETE /api/settings/sessions')).body).toEqual({ ended: 1 });
  for (const browser of [there, elsewhere]) expect((await browser.ask('GET /api/whoami-v2')).status).toBe(401);
  expect((await bob.ask('DELETE /api/admin/users/ada/sessions')).status).toBe(403);
  const asAdmin = { authorization: `Bearer ${hub.admin.accessToken}` };
  expect((await bob.ask('DELETE /api/admin/users/ada/sessions', undefined, asAdmin)).body).toEqual({ ended: 1 });
  expect((await here.ask('GET /api/whoami-v2')).status).toBe(401);
});

test('a session ends after a week unused and after a month in use, and is deleted then', async () => {
  await using hub = await startHub();
  await hub.people('ada');
  const browser = await withPassword(hub, 'ada');
  for (let day = 0; day < 29; day++) {
    hub.clock.advance(DAY);
    expect((await browser.ask('GET /api/whoami-v2')).status).toBe(200);
  }
  hub.clock.advance(DAY);
  expect((await browser.ask('GET /api/whoami-v2')).status).toBe(401);
  await signIn(hub, 'ada', PASSWORD, browser);
  hub.clock.advance(7 * DAY);
  expect((await browser.ask('GET /api/whoami-v2')).status).toBe(401);
  await hub.drain();
  expect(await hub.database.read.selectFrom('sessions').selectAll().execute()).toEqual([]);
});

test('row 37: a password of 64 kB is refused before any hashing, and so are guessable ones', async () => {
  await using hub = await startHub();
  await hub.apply({ users: [{ name: 'ada', fullname: 'Augusta King', email: 'countess@example.com' }] });
  expect((await signIn(hub, 'ada', 'x'.repeat(65_536))).status).toBe(400);
  const link = await linkFor(hub, 'ada');
  const guessed = [
    'quiet heron',
    'passwordpassword',
    '123456789012345',
    'aaaaaaaaaaaaaaaaaaaa',
    'augusta king ada',
    'countesscountess1',
    'Qwertyuiop12345',
  ];
  for (const password of guessed)
    expect([password, (await openBrowser(hub).ask(`POST ${link}`, { password })).status]).toEqual([password, 400]);
  expect((await openBrowser(hub).ask(`POST ${link}`, { password: 'дождь и туман над рекой' })).status).toBe(200);
  // The case of the letters does not matter.
  expect((await signIn(hub, 'ada', 'дождь и туман над рекой'.normalize('NFD'))).status).toBe(200);
});

test('a token as the password of Basic is a token, whatever the user name', async () => {
  await using hub = await startHub();
  await hub.people('ada');
  const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });
  const browser = openBrowser(hub);
  for (const name of ['hf_user', '', 'ada'])
    expect((await browser.ask('GET /api/whoami-v2', undefined, basic(`${name}:${tokenOf('ada')}`))).status).toBe(200);
  expect((await browser.ask('GET /api/whoami-v2', undefined, basic(`ada:${PASSWORD}`))).status).toBe(401);
  expect((await browser.ask('GET /api/whoami-v2', undefined, { authorization: 'Basic %%%' })).status).toBe(401);
});

test('an Authorization header takes precedence over the cookie, even with an unknown token', async () => {
  await using hub = await startHub();
  await hub.people('ada', 'bob');
  const ada = await withPassword(hub, 'ada');
  const who = (authorization: string) => ada.ask('GET /api/whoami-v2', undefined, { authorization });
  expect((await who(`Bearer ${tokenOf('bob')}`)).body.name).toBe('bob');
  expect((await who('Bearer hf_nobodyHasThisToken')).status).toBe(401);
});
