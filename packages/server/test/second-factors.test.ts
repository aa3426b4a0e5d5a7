import { listMembers } from '@moonbase/client/members';
import { getUserSecondFactor, resetSecondFactor } from '@moonbase/client/second-factors';
import { disableUser } from '@moonbase/client/users';
import { expect, test } from 'vitest';
import { openBrowser } from './browser.ts';
import { DAY, MINUTE, SECOND } from './clock.ts';
import { collect, person, startHub, type TestHub } from './harness.ts';
import { plainHashing } from './plain-hashing.ts';
import { linkFor, PASSWORD, withPassword } from './signed-in.ts';
import { startMailServer } from './smtp-server.ts';
import { totpCode } from './totp-code.ts';

const STEP = 30 * SECOND;
const BEHIND_PROXY = { MOONBASE_TRUSTED_PROXIES: '127.0.0.1' };
type Browser = ReturnType<typeof openBrowser>;

/** Starts a hub with ada, who has a password and an authenticator. */
async function startFixture(settings: Readonly<Record<string, string>> = {}) {
  const hub = await startHub(settings, { hashing: plainHashing });
  await hub.apply({ users: [{ ...person('ada'), email: 'ada@example.com' }, person('bob')] });
  const ada = await withPassword(hub, 'ada');
  const { uri, recoveryCodes } = await enrol(hub, ada);
  const passwordStep = async (browser: Browser = openBrowser(hub), headers = {}) => {
    const { status, body } = await browser.ask('POST /api/sign-in', { name: 'ada', password: PASSWORD }, headers);
    expect([status, body.secondFactor]).toEqual([200, true]);
    return browser;
  };
  return {
    ...{ hub, ada, uri, recoveryCodes, passwordStep },
    /** Returns the code of the authenticator once it has changed. */
    nextCode: () => {
      hub.clock.advance(STEP);
      return totpCode(uri, hub.clock.now());
    },
    async [Symbol.asyncDispose]() {
      await hub[Symbol.asyncDispose]();
    },
  };
}

async function enrol(hub: TestHub, browser: Browser) {
  const begun = await browser.ask('POST /api/settings/second-factors', {});
  expect(begun.status).toBe(200);
  const { uri } = begun.body as { readonly uri: string };
  const confirmed = await browser.ask('POST /api/settings/second-factors/confirm', {
    code: totpCode(uri, hub.clock.now()),
  });
  expect(confirmed.status).toBe(200);
  return { uri, recoveryCodes: confirmed.body.recoveryCodes as readonly string[] };
}

const second = (browser: Browser, code: string, headers = {}) =>
  browser.ask('POST /api/sign-in/second-factor', { code }, headers);
const isIn = async (browser: Browser) => (await browser.ask('GET /api/whoami-v2')).status === 200;

test('signing in takes two steps, and the first step gives no session', async () => {
  await using fixture = await startFixture();
  const { hub, ada, passwordStep, nextCode } = fixture;
  expect((await ada.ask('GET /api/settings/second-factors')).body).toEqual({
    ...{ enabled: true, recoveryCodes: 10 },
    since: new Date(hub.clock.now()).toISOString(),
  });
  const browser = openBrowser(hub);
  const first = await browser.ask('POST /api/sign-in', { name: 'ada', password: PASSWORD });
  expect(first.body).toMatchObject({
    user: { name: 'ada' },
    expiresAt: new Date(hub.clock.now() + 10 * MINUTE).toISOString(),
    secondFactor: true,
  });
  expect(first.cookie).toMatch(/^moonbase-\d+-step=\S+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/);
  expect(await isIn(browser)).toBe(false);
  // The cookie of a first step is not a session, even under the name of a session cookie.
  const [[name = '', value = ''] = []] = browser.cookies;
  browser.cookies.set(name.replace('-step', ''), value);
  expect(await isIn(browser)).toBe(false);

  expect((await second(browser, '000000')).status).toBe(401);
  expect((await second(openBrowser(hub), nextCode())).headers.get('x-error-code')).toBe('SignInExpired');
  const answer = await second(browser, nextCode());
  expect([answer.status, answer.body.user.name, answer.body.secondFactor]).toEqual([200, 'ada', undefined]);
  expect(await isIn(browser)).toBe(true);
  const { body: sessions } = await browser.ask('GET /api/settings/sessions');
  expect(sessions).toHaveLength(2);

  // A first step expires after ten minutes.
  const late = await passwordStep();
  hub.clock.advance(10 * MINUTE);
  const refused = await second(late, nextCode());
  expect([refused.status, refused.headers.get('x-error-code')]).toEqual([401, 'SignInExpired']);
});

test('row 34: a code and a recovery code are valid once, even if sent a hundred times at once', async () => {
  await using fixture = await startFixture();
  const { hub, recoveryCodes, passwordStep, nextCode } = fixture;
  const browser = await passwordStep();
  const code = nextCode();
  expect((await second(browser, code)).status).toBe(200);
  expect((await second(await passwordStep(), code)).status).toBe(401);
  // An older unused code does not work either.
  const older = nextCode();
  expect((await second(await passwordStep(), nextCode())).status).toBe(200);
  expect((await second(await passwordStep(), older)).status).toBe(401);

  const [recovery = '', another = ''] = recoveryCodes;
  expect((await second(await passwordStep(), recovery.toUpperCase())).status).toBe(200);
  expect((await second(await passwordStep(), recovery)).status).toBe(401);
  hub.clock.advance(DAY);
  for (const sent of [nextCode(), another]) {
    const browsers = await Promise.all(Array.from({ length: 4 }, () => passwordStep()));
    const statuses = await Promise.all(browsers.map(async (each) => (await second(each, sent)).status));
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 401, 401, 401]);
  }
  const { body } = await browser.ask('GET /api/settings/second-factors');
  expect(body.recoveryCodes).toBe(8);
});

test('row 22 for codes: guesses are throttled and serialized, and the owner can still sign in', async () => {
  await using fixture = await startFixture(BEHIND_PROXY);
  const { hub, passwordStep, nextCode, recoveryCodes } = fixture;
  const from = (host: number) => ({ 'x-forwarded-for': `203.0.113.${host}` });
  const home = { 'x-forwarded-for': '198.51.100.7', 'user-agent': 'the browser of ada' };
  expect((await second(await passwordStep(openBrowser(hub), home), nextCode(), home)).status).toBe(200);

  const guesser = await passwordStep(openBrowser(hub), from(1));
  const guesses = await Promise.all(Array.from({ length: 12 }, () => second(guesser, '000000', from(1))));
  expect(guesses.filter(({ status }) => status === 401)).toHaveLength(5);
  expect(guesses.filter(({ status }) => status === 429)).toHaveLength(7);
  // Even the right code does not help a caller who has to wait.
  expect((await second(guesser, nextCode(), from(1))).status).toBe(200);

  // After attempts from many addresses, codes count only from known browsers, but recovery codes from anywhere.
  for (let host = 2; host <= 21; host++) {
    const browser = await passwordStep(openBrowser(hub), from(host));
    for (let guess = 0; guess < 5; guess++) await second(browser, '000000', from(host));
  }
  const elsewhere = await passwordStep(openBrowser(hub), from(200));
  expect((await second(elsewhere, nextCode(), from(200))).status).toBe(429);
  expect((await second(await passwordStep(openBrowser(hub), home), nextCode(), home)).status).toBe(200);
  expect((await second(elsewhere, recoveryCodes[0] ?? '', from(200))).status).toBe(200);
});

test('a pending second step becomes invalid with a change of the password, the factor or the user', async () => {
  await using fixture = await startFixture();
  const { hub, ada, passwordStep, nextCode } = fixture;
  const waiting = await passwordStep();
  hub.clock.advance(SECOND);
  expect((await ada.ask('PUT /api/settings/password', { password: 'nine distant herons' })).status).toBe(200);
  const code = nextCode();
  expect((await second(waiting, code)).headers.get('x-error-code')).toBe('SignInExpired');
  const browser = openBrowser(hub);
  await browser.ask('POST /api/sign-in', { name: 'ada', password: 'nine distant herons' });
  await resetSecondFactor({ ...hub.admin, username: 'ada' });
  expect((await second(browser, code)).headers.get('x-error-code')).toBe('SignInExpired');
  const again = await browser.ask('POST /api/sign-in', { name: 'ada', password: 'nine distant herons' });
  expect(again.body.secondFactor).toBeUndefined();
  await enrol(hub, browser);
  await browser.ask('POST /api/sign-in', { name: 'ada', password: 'nine distant herons' });
  await disableUser({ ...hub.admin, username: 'ada' });
  expect((await second(browser, nextCode())).status).toBe(401);
});

test('a link sets the password and still requires the code, so that access to the mail is not enough', async () => {
  await using fixture = await startFixture();
  const { hub, ada, nextCode } = fixture;
  for (const purpose of ['reset', 'invite'] as const) {
    const browser = openBrowser(hub);
    const answer = await browser.ask(`POST ${await linkFor(hub, 'ada', purpose)}`, { password: PASSWORD });
    expect([answer.status, answer.body.secondFactor]).toEqual([200, true]);
    expect([await isIn(browser), await isIn(ada)]).toEqual([false, false]);
    expect((await second(browser, nextCode())).status).toBe(200);
    expect(await isIn(browser)).toBe(true);
  }
});

test('row 33: every change needs a recent sign-in, ends the other sessions, and is announced by mail', async () => {
  await using server = await startMailServer();
  const home = 'https://hub.example.com';
  const mail = { MOONBASE_SMTP_URL: server.url, MOONBASE_MAIL_FROM: 'Moonbase <hub@example.com>' };
  await using hub = await startHub({ ...mail, MOONBASE_PUBLIC_URL: home }, { hashing: plainHashing });
  await hub.apply({ users: [{ ...person('ada'), email: 'ada@example.com' }] });
  const open = () => openBrowser(hub, { home });
  const subjects = async () => {
    await hub.drain();
    return server.received().map(({ subject }) => subject);
  };
  const ada = open();
  await ada.ask(`POST ${await linkFor(hub, 'ada')}`, { password: PASSWORD });
  const other = open();
  await other.ask('POST /api/sign-in', { name: 'ada', password: PASSWORD });
  hub.clock.advance(10 * MINUTE);
  const late = await ada.ask('POST /api/settings/second-factors', {});
  expect([late.status, late.headers.get('x-error-code')]).toEqual([403, 'RecentSignInNeeded']);
  expect((await ada.ask('POST /api/settings/second-factors/confirm', { code: '123456' })).status).toBe(409);
  expect(await subjects()).toEqual([]);

  await ada.ask('POST /api/sign-in', { name: 'ada', password: PASSWORD });
  expect((await ada.ask('DELETE /api/settings/second-factors')).status).toBe(409);
  expect((await ada.ask('POST /api/settings/second-factors/recovery-codes', {})).status).toBe(409);
  const begun = await ada.ask('POST /api/settings/second-factors', {});
  expect((await ada.ask('POST /api/settings/second-factors/confirm', { code: '12345' })).status).toBe(400);
  expect((await ada.ask('GET /api/settings/second-factors')).body).toEqual({ enabled: false });
  const { uri } = begun.body;
  const confirm = () => ada.ask('POST /api/settings/second-factors/confirm', { code: totpCode(uri, hub.clock.now()) });
  expect((await confirm()).status).toBe(200);
  expect([await isIn(ada), await isIn(other)]).toEqual([true, false]);
  expect(await subjects()).toEqual(['Signing in now requires a second factor']);

  // From now on the password alone is not sufficient proof.
  hub.clock.advance(10 * MINUTE);
  const requests: readonly [string, object?][] = [
    ['DELETE /api/settings/second-factors'],
    ['POST /api/settings/second-factors', {}],
    ['POST /api/settings/second-factors/recovery-codes', {}],
    ['PUT /api/settings/password', { password: 'nine distant herons', current: PASSWORD }],
    ['PUT /api/settings/email', { email: null, current: PASSWORD }],
  ];
  for (const [request, body] of requests) {
    const refused = await ada.ask(request, body);
    expect([request, refused.status, refused.headers.get('x-error-code')]).toEqual([
      request,
      403,
      'RecentSignInNeeded',
    ]);
  }
  await ada.ask('POST /api/sign-in', { name: 'ada', password: PASSWORD });
  expect((await ada.ask('DELETE /api/settings/second-factors')).headers.get('x-error-code')).toBe('RecentSignInNeeded');
  expect((await second(ada, totpCode(uri, hub.clock.now()))).status).toBe(200);
  const renewed = await ada.ask('POST /api/settings/second-factors/recovery-codes', {});
  expect(renewed.body.recoveryCodes).toHaveLength(10);
  expect((await ada.ask('DELETE /api/settings/second-factors')).status).toBe(200);
  expect((await ada.ask('GET /api/settings/second-factors')).body).toEqual({ enabled: false });
  expect(new Set(await subjects())).toEqual(new Set(['You have new recovery codes', 'Your second factor was removed']));
});

test('a new authenticator replaces the previous one only with its first code', async () => {
  await using fixture = await startFixture();
  const { hub, ada, passwordStep, nextCode } = fixture;
  hub.clock.advance(STEP);
  const { body } = await ada.ask('POST /api/settings/second-factors', {});
  expect((await second(await passwordStep(), totpCode(body.uri, hub.clock.now()))).status).toBe(401);
  const old = nextCode();
  expect((await second(await passwordStep(), old)).status).toBe(200);
  const code = totpCode(body.uri, hub.clock.now());
  expect((await ada.ask('POST /api/settings/second-factors/confirm', { code })).status).toBe(200);
  expect((await second(await passwordStep(), nextCode())).status).toBe(401);
  expect((await second(await passwordStep(), totpCode(body.uri, hub.clock.now()))).status).toBe(200);
  // A secret that is not confirmed in time is void.
  hub.clock.advance(DAY);
  const again = await passwordStep();
  await second(again, totpCode(body.uri, hub.clock.now()));
  const stale = await again.ask('POST /api/settings/second-factors', {});
  hub.clock.advance(15 * MINUTE);
  const late = { code: totpCode(stale.body.uri, hub.clock.now()) };
  expect((await again.ask('POST /api/settings/second-factors/confirm', late)).status).toBe(409);
});

test('tokens, and sessions that act as one, neither see the secret nor change the factor', async () => {
  await using fixture = await startFixture();
  const { hub, ada } = fixture;
  const byToken = openBrowser(hub);
  await byToken.ask('POST /api/sign-in/token', { token: 'hf_tokenOfada00' });
  const headers = { authorization: 'Bearer hf_tokenOfada00' };
  for (const [browser, own] of [
    [byToken, {}],
    [openBrowser(hub), headers],
  ] as const)
    for (const request of [
      'POST /api/settings/second-factors',
      'POST /api/settings/second-factors/recovery-codes',
      'DELETE /api/settings/second-factors',
    ])
      expect((await browser.ask(request, request.startsWith('POST') ? {} : undefined, own)).status).toBe(403);
  expect((await ada.ask('GET /api/settings/second-factors')).body.enabled).toBe(true);
  const stored = JSON.stringify([
    await hub.database.read.selectFrom('second_factors').selectAll().execute(),
    await hub.database.read.selectFrom('recovery_codes').selectAll().execute(),
  ]);
  const secret = new URL(fixture.uri).searchParams.get('secret') ?? '';
  for (const clear of [secret, ...fixture.recoveryCodes]) expect(stored).not.toContain(clear);
});

test('a site administrator removes a lost factor, which ends every session of the user', async () => {
  await using fixture = await startFixture();
  const { hub, ada } = fixture;
  const about = { ...hub.admin, username: 'ada' };
  expect(await getUserSecondFactor(about)).toMatchObject({ enabled: true, recoveryCodes: 10 });
  await expect(getUserSecondFactor({ ...hub.as('bob'), username: 'ada' })).rejects.toMatchObject({ status: 403 });
  await expect(resetSecondFactor({ ...hub.as('bob'), username: 'ada' })).rejects.toMatchObject({ status: 403 });
  await expect(resetSecondFactor({ ...hub.admin, username: 'bob' })).rejects.toMatchObject({ status: 409 });
  await resetSecondFactor(about);
  expect(await isIn(ada)).toBe(false);
  expect(await getUserSecondFactor(about)).toEqual({ enabled: false });
  const { body } = await openBrowser(hub).ask('POST /api/sign-in', { name: 'ada', password: PASSWORD });
  expect(body.secondFactor).toBeUndefined();
});

test('admins of an organization see which members have a second factor (E16)', async () => {
  await using fixture = await startFixture();
  const { hub } = fixture;
  const members = [{ user: 'ada', role: 'admin' as const }, { user: 'bob' }];
  await hub.apply({ organizations: [{ name: 'acme', plan: 'team', members }] });
  const seen = await collect(listMembers({ ...hub.as('ada'), name: 'acme' }));
  expect(seen.map(({ user, twoFaEnabled, verifiedEmail }) => [user, twoFaEnabled, verifiedEmail])).toEqual([
    ['ada', true, 'ada@example.com'],
    ['bob', false, null],
  ]);
});
