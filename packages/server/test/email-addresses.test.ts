import { request } from 'node:http';
import { createUserLink } from '@moonbase/client/authentication';
import { listMembers } from '@moonbase/client/members';
import { expect, test } from 'vitest';
import { openBrowser } from './browser.ts';
import { DAY, HOUR, MINUTE } from './clock.ts';
import { collect, person, startHub, type TestHub } from './harness.ts';
import { plainHashing } from './plain-hashing.ts';
import { type ReceivedMail, startMailServer } from './smtp-server.ts';

const HOME = 'https://hub.example.com';
const PASSWORD = 'seven quiet herons';
const ANOTHER = 'nine distant herons';

type Settings = Readonly<Record<string, string>>;

/** Starts a hub that sends mails, with ada, who has a password and by default no address. */
async function startFixture(settings: Settings = { MOONBASE_PUBLIC_URL: HOME }, email?: string) {
  const server = await startMailServer();
  const mail = { MOONBASE_SMTP_URL: server.url, MOONBASE_MAIL_FROM: 'Moonbase <hub@example.com>' };
  const hub = await startHub({ ...mail, ...settings }, { hashing: plainHashing });
  const browser = () => openBrowser(hub, { home: settings.MOONBASE_PUBLIC_URL ?? hub.url });
  await hub.apply({ users: [{ ...person('ada'), ...(email !== undefined && { email }) }, person('mallory')] });
  /** Gives a user a password; returns the browser that set it. */
  const withPassword = async (name: string) => {
    const own = browser();
    expect((await own.ask(`POST ${await shownLink(hub, name)}`, { password: PASSWORD })).status).toBe(200);
    return own;
  };
  const ada = await withPassword('ada');
  return {
    ...{ hub, browser, withPassword, ada },
    /** Returns the mails since the last call. */
    async mails(): Promise<ReceivedMail[]> {
      await hub.drain();
      return server.received();
    },
    async [Symbol.asyncDispose]() {
      await hub[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

async function shownLink(hub: TestHub, username: string): Promise<string> {
  const { url } = await createUserLink({ ...hub.admin, username, purpose: 'invite' });
  return new URL(url).pathname.replace('/join/', '/api/links/');
}

/** Returns the path of the link in a mail. */
function linkIn(mail: ReceivedMail | undefined): string {
  const [, code = 'none'] = /^https:\/\/hub\.example\.com\/join\/([\w-]{43})$/m.exec(mail?.text ?? '') ?? [];
  return `/api/links/${code}`;
}

const subjects = (mails: readonly ReceivedMail[]) => mails.map(({ subject, envelope }) => [envelope.to[0], subject]);

test('rows 24 and 26: an address counts once its link is used; opening the page does not use it', async () => {
  await using fixture = await startFixture();
  const { hub, ada, browser } = fixture;
  const set = await ada.ask('PUT /api/settings/email', { email: 'Ada@Example.com' });
  const pending = { email: 'Ada@Example.com', expiresAt: new Date(hub.clock.now() + DAY).toISOString() };
  expect([set.status, set.body]).toEqual([200, { email: null, pending }]);
  expect((await browser().ask('POST /api/sign-in', { name: 'ada@example.com', password: PASSWORD })).status).toBe(401);
  const [mail, ...others] = await fixture.mails();
  expect(others).toEqual([]);
  expect(mail).toMatchObject({ subject: 'Confirm your e-mail address', envelope: { to: ['Ada@example.com'] } });
  expect(mail?.text).toContain('belongs to the user ada');

  const link = linkIn(mail);
  const scanner = browser();
  for (let look = 0; look < 3; look++)
    expect((await scanner.ask(`GET ${link}`)).body).toMatchObject({
      purpose: 'email',
      user: 'ada',
      email: pending.email,
    });
  expect((await ada.ask('GET /api/settings/email')).body).toEqual({ email: null, pending });
  // The link does not sign anybody in.
  expect((await scanner.ask(`POST ${link}`, { password: ANOTHER })).status).toBe(400);
  const confirmed = await scanner.ask(`POST ${link}/confirm`, {});
  expect([confirmed.status, confirmed.body, confirmed.cookie]).toEqual([
    200,
    { user: 'ada', email: pending.email },
    null,
  ]);
  expect((await scanner.ask(`POST ${link}/confirm`, {})).status).toBe(410);
  expect((await ada.ask('GET /api/settings/email')).body).toEqual({ email: 'Ada@Example.com' });
  expect((await ada.ask('GET /api/whoami-v2')).body).toMatchObject({ email: 'Ada@Example.com', emailVerified: true });
  expect((await browser().ask('POST /api/sign-in', { name: 'ada@example.com', password: PASSWORD })).status).toBe(200);
});

test('a link for an address works for a day and until the next one is sent, and a password link confirms nothing', async () => {
  await using fixture = await startFixture();
  const { hub, ada, browser } = fixture;
  await ada.ask('PUT /api/settings/email', { email: 'first@example.com' });
  await ada.ask('PUT /api/settings/email', { email: 'second@example.com' });
  // The first link had expired before its mail was written.
  const mails = await fixture.mails();
  expect(subjects(mails)).toEqual([['second@example.com', 'Confirm your e-mail address']]);
  expect((await browser().ask(`POST ${await shownLink(hub, 'ada')}/confirm`, {})).status).toBe(400);
  hub.clock.advance(DAY);
  expect((await browser().ask(`POST ${linkIn(mails[0])}/confirm`, {})).status).toBe(410);
});

test('row 11: an address that somebody only claims counts nowhere, and its owner can take it', async () => {
  await using fixture = await startFixture();
  const { hub, browser } = fixture;
  const victim = 'ada@example.com';
  const mallory = await fixture.withPassword('mallory');
  await hub.apply({
    organizations: [{ name: 'acme', plan: 'team', members: [{ user: 'ada', role: 'admin' }, { user: 'mallory' }] }],
  });
  await mallory.ask('PUT /api/settings/email', { email: victim });
  const [claim] = await fixture.mails();
  const listed = async () => {
    const members = await collect(listMembers({ ...hub.as('ada'), name: 'acme' }));
    return Object.fromEntries(members.map(({ user, verifiedEmail }) => [user, verifiedEmail]));
  };
  expect(await listed()).toEqual({ ada: null, mallory: null });
  expect((await mallory.ask('GET /api/whoami-v2')).body).not.toHaveProperty('email');
  expect((await browser().ask('POST /api/sign-in', { name: victim, password: PASSWORD })).status).toBe(401);
  await browser().ask('POST /api/sign-in/reset', { name: victim });
  expect(await fixture.mails()).toEqual([]);

  await fixture.ada.ask('PUT /api/settings/email', { email: victim });
  const [own] = await fixture.mails();
  expect((await browser().ask(`POST ${linkIn(own)}/confirm`, {})).status).toBe(200);
  expect(await listed()).toEqual({ ada: victim, mallory: null });
  const late = await browser().ask(`POST ${linkIn(claim)}/confirm`, {});
  expect([late.status, late.body.error]).toEqual([409, 'Another user of this hub has this address']);
  expect(await listed()).toEqual({ ada: victim, mallory: null });
});

test('row 24: a reset by mail gets the same answer for everybody, works once, for half an hour, and ends all sessions', async () => {
  await using fixture = await startFixture({ MOONBASE_PUBLIC_URL: HOME }, 'ada@example.com');
  const { hub, ada, browser } = fixture;
  const ask = (name: string) => browser().ask('POST /api/sign-in/reset', { name });
  const answers = [];
  // mallory has neither an address nor a password.
  for (const name of ['nobody@example.com', 'nobody', 'mallory', ' ADA@example.com']) {
    const { status, body, headers } = await ask(name);
    answers.push({ status, body, length: headers.get('content-length') });
  }
  expect(answers).toEqual(answers.map(() => ({ status: 200, body: {}, length: '2' })));
  // Each request left the same task, since the hub looks names up later.
  const tasks = await hub.database.read
    .selectFrom('tasks')
    .select('kind')
    .where('kind', '=', 'sign-in.reset')
    .execute();
  expect(tasks).toHaveLength(answers.length);
  const [mail, ...others] = await fixture.mails();
  expect(others).toEqual([]);
  expect(mail).toMatchObject({ subject: 'Reset your password', envelope: { to: ['ada@example.com'] } });

  const link = linkIn(mail);
  expect((await browser().ask(`GET ${link}`)).body).toMatchObject({ purpose: 'reset', user: 'ada' });
  expect((await browser().ask(`POST ${link}`, { password: ANOTHER })).status).toBe(200);
  expect((await ada.ask('GET /api/whoami-v2')).status).toBe(401);
  expect((await browser().ask(`POST ${link}`, { password: PASSWORD })).status).toBe(410);
  expect(subjects(await fixture.mails())).toEqual([['ada@example.com', 'Your password was changed']]);

  await ask('ada');
  const late = linkIn((await fixture.mails())[0]);
  hub.clock.advance(30 * MINUTE);
  expect((await browser().ask(`POST ${late}`, { password: PASSWORD })).status).toBe(410);

  // A change of the address voids the link in the mail to the old one.
  await ask('ada');
  const [stale] = await fixture.mails();
  const again = browser();
  await again.ask('POST /api/sign-in', { name: 'ada', password: ANOTHER });
  await again.ask('PUT /api/settings/email', { email: null });
  expect((await browser().ask(`POST ${linkIn(stale)}`, { password: PASSWORD })).status).toBe(410);
});

test('a user gets at most three reset links an hour, however often somebody asks, and an address may ask 20 times', async () => {
  const behindProxy = { MOONBASE_PUBLIC_URL: HOME, MOONBASE_TRUSTED_PROXIES: '127.0.0.1' };
  await using fixture = await startFixture(behindProxy, 'ada@example.com');
  const ask = (address: string) =>
    fixture.browser().ask('POST /api/sign-in/reset', { name: 'ada' }, { 'x-forwarded-for': address });
  let mailed = 0;
  for (let at = 0; at < 6; at++) {
    expect((await ask('203.0.113.1')).status).toBe(200);
    mailed += (await fixture.mails()).length;
  }
  expect(mailed).toBe(3);
  fixture.hub.clock.advance(HOUR);
  await ask('203.0.113.1');
  expect(await fixture.mails()).toHaveLength(1);

  const statuses = [];
  for (let at = 0; at < 21; at++) statuses.push((await ask('203.0.113.2')).status);
  expect(statuses).toEqual([...Array(20).fill(200), 429]);
  // A user who asked too often can still sign in.
  const body = { name: 'ada', password: PASSWORD };
  expect((await fixture.browser().ask('POST /api/sign-in', body, { 'x-forwarded-for': '203.0.113.2' })).status).toBe(
    200,
  );
});

test('row 25: a link has the address that the operator configured, whatever host the caller names', async () => {
  await using fixture = await startFixture({ MOONBASE_PUBLIC_URL: HOME }, 'ada@example.com');
  const { port } = new URL(fixture.hub.url);
  const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'content-type': 'application/json' };
  const status = await new Promise<number | undefined>((resolve, reject) => {
    request({ port, method: 'POST', path: '/api/sign-in/reset', headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    })
      .on('error', reject)
      .end(JSON.stringify({ name: 'ada' }));
  });
  expect(status).toBe(200);
  const [mail] = await fixture.mails();
  expect(mail?.source).not.toContain('evil');
  expect((await fixture.browser().ask(`GET ${linkIn(mail)}`)).status).toBe(200);
});

test.each<[string, boolean, Settings]>([
  ['has no public URL', false, {}],
  ['has a public URL', true, { MOONBASE_PUBLIC_URL: HOME }],
])('row 25: a hub that mails and %s mails links: %s', async (_, mails, settings) => {
  await using fixture = await startFixture(settings, 'ada@example.com');
  expect((await fixture.browser().ask('GET /api/sign-in/methods')).body).toMatchObject({ mail: mails });
  const status = mails ? 200 : 409;
  expect((await fixture.browser().ask('POST /api/sign-in/reset', { name: 'ada' })).status).toBe(status);
  expect((await fixture.ada.ask('PUT /api/settings/email', { email: 'b@example.com' })).status).toBe(status);
  expect(await fixture.mails()).toHaveLength(mails ? 2 : 0);
});

test('row 33: a new address requires the password after ten minutes, and the previous address gets a mail', async () => {
  await using fixture = await startFixture({ MOONBASE_PUBLIC_URL: HOME }, 'ada@example.com');
  const { hub, ada, browser } = fixture;
  hub.clock.advance(11 * MINUTE);
  const setEmail = (body: object) => ada.ask('PUT /api/settings/email', { email: 'new@example.com', ...body });
  expect((await setEmail({})).status).toBe(403);
  expect((await setEmail({ current: ANOTHER })).status).toBe(403);
  expect((await setEmail({ current: PASSWORD })).status).toBe(200);
  const [mail] = await fixture.mails();
  expect((await browser().ask(`POST ${linkIn(mail)}/confirm`, {})).status).toBe(200);
  expect(subjects(await fixture.mails())).toEqual([['ada@example.com', 'Your e-mail address was changed']]);

  await ada.ask('PUT /api/settings/password', { password: ANOTHER, current: PASSWORD });
  expect(subjects(await fixture.mails())).toEqual([['new@example.com', 'Your password was changed']]);
});

test('an access token, and a session that acts as one, cannot change the address', async () => {
  await using fixture = await startFixture();
  const authorization = 'Bearer hf_tokenOfada00';
  const body = { email: 'thief@example.com' };
  expect((await fixture.browser().ask('PUT /api/settings/email', body, { authorization })).status).toBe(403);
  const browser = fixture.browser();
  expect((await browser.ask('POST /api/sign-in/token', { token: 'hf_tokenOfada00' })).status).toBe(200);
  expect((await browser.ask('PUT /api/settings/email', body)).status).toBe(403);
  expect(await fixture.mails()).toEqual([]);
});

test('a user can confirm at most five addresses a day', async () => {
  await using fixture = await startFixture();
  const statuses = [];
  for (let at = 0; at < 6; at++)
    statuses.push((await fixture.ada.ask('PUT /api/settings/email', { email: `stranger-${at}@example.com` })).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  fixture.hub.clock.advance(DAY + 1);
  const body = { email: 'ada@example.com', current: PASSWORD };
  expect((await fixture.ada.ask('PUT /api/settings/email', body)).status).toBe(200);
});

test('a user gets a mail about a new browser, and about no other', async () => {
  await using fixture = await startFixture({ MOONBASE_PUBLIC_URL: HOME }, 'ada@example.com');
  const signIn = (userAgent: string) =>
    fixture.browser().ask('POST /api/sign-in', { name: 'ada', password: PASSWORD }, { 'user-agent': userAgent });
  await signIn('Mozilla/5.0 (X11) Firefox/120.0');
  const [mail, ...others] = await fixture.mails();
  expect(others).toEqual([]);
  expect(mail?.subject).toBe('A new browser signed in to your account');
  expect(mail?.text).toContain('from 127.0.0.1');
  expect(mail?.text).toContain('    Mozilla/5.0 (X11) Firefox/120.0');
  await signIn('Mozilla/5.0 (X11) Firefox/121.0');
  expect(await fixture.mails()).toEqual([]);
});

test('row 22: a user whose password is guessed 100 times in a day gets one mail', async () => {
  const behindProxy = { MOONBASE_PUBLIC_URL: HOME, MOONBASE_TRUSTED_PROXIES: '127.0.0.1' };
  await using fixture = await startFixture(behindProxy, 'ada@example.com');
  for (let at = 0; at < 105; at++) {
    const headers = { 'x-forwarded-for': `203.0.113.${at % 30}` };
    await fixture.browser().ask('POST /api/sign-in', { name: 'ada', password: ANOTHER }, headers);
  }
  expect(subjects(await fixture.mails())).toEqual([['ada@example.com', 'Somebody is trying to guess your password']]);
});

test('row 28: the code of a mailed link is in no table', async () => {
  await using fixture = await startFixture({ MOONBASE_PUBLIC_URL: HOME }, 'ada@example.com');
  await fixture.browser().ask('POST /api/sign-in/reset', { name: 'ada' });
  const [mail] = await fixture.mails();
  const code = linkIn(mail).replace('/api/links/', '');
  const { read } = fixture.hub.database;
  const rows = [];
  for (const table of ['mails', 'events', 'one_time_links', 'tasks'] as const)
    rows.push(...(await read.selectFrom(table).selectAll().execute()));
  expect(rows.length).toBeGreaterThan(3);
  expect(JSON.stringify(rows)).not.toContain(code);
});
