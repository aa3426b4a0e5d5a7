import { disableUser } from '@moonbase/client/users';
import { expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { openBrowser } from './browser.ts';
import { DAY, HOUR } from './clock.ts';
import { person, startHub } from './harness.ts';
import { plainHashing } from './plain-hashing.ts';
import { type ReceivedMail, startMailServer } from './smtp-server.ts';
import { totpCode } from './totp-code.ts';

const HOME = 'https://hub.example.com';
const PASSWORD = 'seven quiet herons';
const MAIL = { MOONBASE_SMTP_URL: 'smtp://127.0.0.1:1', MOONBASE_MAIL_FROM: 'hub@example.com' };

type Settings = Readonly<Record<string, string>>;

/** Starts a hub at which people with an address at example.com or example.org sign up, with ada, who has one. */
async function startFixture(settings: Settings = {}) {
  const server = await startMailServer();
  const hub = await startHub(
    {
      MOONBASE_SMTP_URL: server.url,
      MOONBASE_MAIL_FROM: 'Moonbase <hub@example.com>',
      MOONBASE_PUBLIC_URL: HOME,
      MOONBASE_SIGN_UP: 'Example.com, example.org',
      ...settings,
    },
    { hashing: plainHashing },
  );
  await hub.apply({ users: [{ ...person('ada'), email: 'ada@example.com' }] });
  const browser = () => openBrowser(hub, { home: HOME });
  const ask = (email: string, headers: Settings = {}) => browser().ask('POST /api/sign-up', { email }, headers);
  /** Returns the mails since the last call. */
  const mails = async (): Promise<ReceivedMail[]> => {
    await hub.drain();
    return server.received();
  };
  return {
    ...{ hub, browser, ask, mails },
    /** Asks for a link; returns its path in the API. */
    async linkFor(email: string): Promise<string> {
      expect((await ask(email)).status).toBe(200);
      return linkIn((await mails())[0]);
    },
    accounts: async () =>
      (await hub.database.read.selectFrom('accounts').select('name').execute()).map(({ name }) => name).sort(),
    async [Symbol.asyncDispose]() {
      await hub[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** Returns the path of the link in a mail. */
function linkIn(mail: ReceivedMail | undefined): string {
  const [, code = 'none'] = /^https:\/\/hub\.example\.com\/join\/([\w-]{43})$/m.exec(mail?.text ?? '') ?? [];
  return `/api/links/${code}`;
}

test('a person signs up: the account exists once the link in the mail is used, with the confirmed address', async () => {
  await using fixture = await startFixture();
  const { hub, browser } = fixture;
  expect((await browser().ask('GET /api/sign-in/methods')).body.signUp).toEqual({
    domains: ['example.com', 'example.org'],
  });
  const asked = await fixture.ask('Bea@Example.com');
  expect([asked.status, asked.body, asked.cookie]).toEqual([200, {}, null]);
  const [mail, ...others] = await fixture.mails();
  expect(others).toEqual([]);
  expect(mail).toMatchObject({ subject: 'Create your account', envelope: { to: ['bea@example.com'] } });
  expect(await fixture.accounts()).toEqual(['ada', 'admin']);

  const link = linkIn(mail);
  for (let look = 0; look < 3; look++)
    expect((await browser().ask(`GET ${link}`)).body).toEqual({
      ...{ purpose: 'sign-up', email: 'bea@example.com', passwordMin: 15 },
      expiresAt: new Date(hub.clock.now() + DAY).toISOString(),
    });
  const refused = [
    await browser().ask(`POST ${link}`, { password: PASSWORD }),
    await browser().ask(`POST ${link}`, { password: 'short', name: 'bea' }),
    await browser().ask(`POST ${link}`, { password: 'bea@example.com bea', name: 'bea' }),
    await browser().ask(`POST ${link}`, { password: PASSWORD, name: '-bea-' }),
    await browser().ask(`POST ${link}`, { password: PASSWORD, name: 'settings' }),
    await browser().ask(`POST ${link}`, { password: PASSWORD, name: 'Ada' }),
    await browser().ask(`POST ${link}/confirm`, {}),
  ];
  expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 409, 400]);
  expect(await fixture.accounts()).toEqual(['ada', 'admin']);

  const bea = browser();
  const used = await bea.ask(`POST ${link}`, { password: PASSWORD, name: ' bea ' });
  expect([used.status, used.body.user.name]).toEqual([200, 'bea']);
  expect((await bea.ask('GET /api/whoami-v2')).body).toMatchObject({
    ...{ name: 'bea', email: 'bea@example.com', emailVerified: true },
  });
  expect((await bea.ask('GET /api/admin/users')).status).toBe(403);
  expect((await bea.ask('GET /api/settings/sign-ins')).body).toMatchObject([{ outcome: 'ok', method: 'link' }]);
  expect((await browser().ask(`POST ${link}`, { password: PASSWORD, name: 'bea2' })).status).toBe(410);
  expect((await browser().ask('POST /api/sign-in', { name: 'bea@example.com', password: PASSWORD })).status).toBe(200);
});

test('the answer is the same whoever has the address, and only its owner learns who', async () => {
  await using fixture = await startFixture();
  const { hub, browser } = fixture;
  const answers = [];
  for (const email of ['nobody@example.com', 'ada@example.com', 'ADA@EXAMPLE.com']) {
    const { status, body, headers } = await fixture.ask(email);
    answers.push({ status, body, length: headers.get('content-length') });
  }
  expect(answers).toEqual(answers.map(() => ({ status: 200, body: {}, length: '2' })));
  const tasks = hub.database.read.selectFrom('tasks').select('kind').where('kind', '=', 'sign-in.sign-up');
  expect(await tasks.execute()).toHaveLength(answers.length);
  // ada has no password, so no link helps her.
  expect((await fixture.mails()).map(({ envelope }) => envelope.to)).toEqual([['nobody@example.com']]);

  const link = await fixture.linkFor('bea@example.com');
  expect((await browser().ask(`POST ${link}`, { password: PASSWORD, name: 'bea' })).status).toBe(200);
  await fixture.ask('bea@example.com');
  const [mail, ...others] = await fixture.mails();
  expect([mail?.subject, others]).toEqual(['Reset your password', []]);
});

test('an address of a disabled account opens no second account', async () => {
  await using fixture = await startFixture();
  const { hub, browser } = fixture;
  const link = await fixture.linkFor('bea@example.com');
  await hub.apply({ users: [{ ...person('bea'), email: 'Bea@example.com' }] });
  await disableUser({ ...hub.admin, username: 'bea' });
  const used = await browser().ask(`POST ${link}`, { password: PASSWORD, name: 'bea2' });
  expect([used.status, used.body.error]).toEqual([409, 'Another user of this hub has this address']);
  expect((await fixture.ask('bea@example.com')).status).toBe(200);
  expect(await fixture.mails()).toEqual([]);
});

test('a link works for a day, until the next one is sent, and for one account', async () => {
  await using fixture = await startFixture();
  const { hub, browser } = fixture;
  const use = (link: string, name: string) => browser().ask(`POST ${link}`, { password: PASSWORD, name });
  const first = await fixture.linkFor('bea@example.com');
  const second = await fixture.linkFor('bea@example.com');
  expect((await use(first, 'bea')).status).toBe(410);
  hub.clock.advance(DAY);
  expect((await use(second, 'bea')).status).toBe(410);
  const third = await fixture.linkFor('bea@example.com');
  const both = await Promise.all([use(third, 'bea'), use(third, 'bea2')]);
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 410]);
  expect(await fixture.accounts()).toHaveLength(3);
});

test('an address gets at most three links an hour, and a network address asks at most 20 times', async () => {
  await using fixture = await startFixture({ MOONBASE_TRUSTED_PROXIES: '127.0.0.1' });
  const askFrom = (address: string) => fixture.ask('bea@example.com', { 'x-forwarded-for': address });
  let mailed = 0;
  for (let at = 0; at < 6; at++) {
    expect((await askFrom('203.0.113.1')).status).toBe(200);
    mailed += (await fixture.mails()).length;
  }
  expect(mailed).toBe(3);
  fixture.hub.clock.advance(HOUR);
  await askFrom('203.0.113.1');
  expect(await fixture.mails()).toHaveLength(1);
  const statuses = [];
  for (let at = 0; at < 21; at++) statuses.push((await askFrom('203.0.113.2')).status);
  expect(statuses).toEqual([...Array(20).fill(200), 429]);
});

test.each(['bea@example.net', 'bea@sub.example.com', 'bea@evilexample.com', 'bea@example.com.evil.net'])(
  '%s is at no domain whose people sign up',
  async (email) => {
    await using fixture = await startFixture();
    const { status, body } = await fixture.ask(email);
    expect([status, body.error]).toEqual([403, 'Signing up needs an address at example.com or example.org']);
    expect(await fixture.mails()).toEqual([]);
  },
);

test('a page of another origin asks for no link', async () => {
  await using fixture = await startFixture();
  const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
  expect((await fixture.ask('bea@example.com', headers)).status).toBe(403);
});

test('nobody signs up at a hub without mail domains', async () => {
  await using hub = await startHub({}, { hashing: plainHashing });
  const browser = openBrowser(hub);
  expect((await browser.ask('GET /api/sign-in/methods')).body).not.toHaveProperty('signUp');
  expect((await browser.ask('POST /api/sign-up', { email: 'bea@example.com' })).status).toBe(403);
});

test('where the hub requires a second factor, a new user sets it up before there is a session', async () => {
  await using fixture = await startFixture({ MOONBASE_SECOND_FACTOR: 'all' });
  const { hub, browser } = fixture;
  const bea = browser();
  const link = await fixture.linkFor('bea@example.com');
  const { body } = await bea.ask(`POST ${link}`, { password: PASSWORD, name: 'bea' });
  expect(body).toMatchObject({ secondFactor: true, setUp: true });
  expect((await bea.ask('GET /api/whoami-v2')).status).toBe(401);
  const { body: made } = await bea.ask('POST /api/sign-in/second-factor/set-up', {});
  const code = totpCode(made.uri, hub.clock.now());
  expect((await bea.ask('POST /api/sign-in/second-factor', { code })).status).toBe(200);
  expect((await bea.ask('GET /api/whoami-v2')).body.name).toBe('bea');
});

test('row 28: the code of a link that creates an account is in no table', async () => {
  await using fixture = await startFixture();
  const code = (await fixture.linkFor('bea@example.com')).replace('/api/links/', '');
  const rows = [];
  for (const table of ['mails', 'events', 'one_time_links', 'tasks'] as const)
    rows.push(...(await fixture.hub.database.read.selectFrom(table).selectAll().execute()));
  expect(rows.length).toBeGreaterThan(2);
  expect(JSON.stringify(rows)).not.toContain(code);
});

test.each<[Settings, string]>([
  [{ MOONBASE_SIGN_UP: 'example' }, 'must be invitation, closed, or mail domains, separated by commas'],
  [{ MOONBASE_SIGN_UP: 'closed,example.com' }, 'must be invitation, closed, or mail domains, separated by commas'],
  [{ MOONBASE_SIGN_UP: 'bea@example.com' }, 'must be invitation, closed, or mail domains, separated by commas'],
  [{ MOONBASE_SIGN_UP: 'example.com' }, 'mail domains need MOONBASE_SMTP_URL and MOONBASE_PUBLIC_URL'],
  [{ MOONBASE_SIGN_UP: 'example.com', ...MAIL }, 'mail domains need MOONBASE_SMTP_URL and MOONBASE_PUBLIC_URL'],
  [{ MOONBASE_SIGN_UP: 'example.com', MOONBASE_PUBLIC_URL: HOME }, 'mail domains need MOONBASE_SMTP_URL'],
  [
    { MOONBASE_SIGN_UP: 'example.com', ...MAIL, MOONBASE_PUBLIC_URL: HOME, MOONBASE_SIGN_IN: 'token' },
    'mail domains need password in MOONBASE_SIGN_IN',
  ],
])('%j prevents the start', (settings, fault) => {
  expect(() => readConfig(settings)).toThrow(`MOONBASE_SIGN_UP: ${fault}`);
});
