import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createUserLink } from '@moonbase/client/authentication';
import type { Fetch } from '@moonbase/client/request';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ADMIN, moonbase, person, type RunningHub, startHub } from './hub.ts';

const HOUR = 60 * 60 * 1000;

let hub: RunningHub;
let folder: string;
/** The browser of ada, who is signed in. */
let send: (path: string, body?: object) => Promise<Response>;

beforeAll(async () => {
  hub = await startHub();
  await hub.apply({
    users: [person('ada')],
    organizations: [{ name: 'acme', members: [{ user: 'ada', role: 'admin' }] }],
  });
  const { url } = await createUserLink({
    ...{ hubUrl: hub.hubUrl, accessToken: ADMIN },
    ...{ username: 'ada', purpose: 'invite' },
  });
  const ask = (path: string, body: object | undefined, cookie = '') =>
    fetch(hub.hubUrl + path, {
      method: body ? 'POST' : 'GET',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie },
      ...(body && { body: JSON.stringify(body) }),
    });
  const begun = await ask(new URL(url).pathname.replace('/join/', '/api/links/'), { password: 'seven quiet herons' });
  const cookie = begun.headers.get('set-cookie')?.split(';')[0] ?? '';
  send = (path, body) => ask(path, body, cookie);
});
afterAll(() => hub[Symbol.asyncDispose]());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'moonbase-login-'));
  return () => rmSync(folder, { recursive: true, force: true });
});

const file = () => join(folder, 'moonbase/credentials.json');
const stored = () => JSON.parse(readFileSync(file(), 'utf8'));
const grants = async () => (await (await send('/api/settings/grants')).json()) as { application: { name: string } }[];

/** Runs commands at a terminal and records the requested paths. */
function terminal() {
  const asked: string[] = [];
  const fetchNoted: Fetch = (url, request) => {
    asked.push(new URL(url).pathname);
    return fetch(url, request);
  };
  const around = { env: { XDG_CONFIG_HOME: folder, MOONBASE_URL: hub.hubUrl }, ask: async () => '' };
  return { asked, run: (...argv: string[]) => moonbase(argv, { ...around, fetch: fetchNoted }), around };
}

/** Logs ada in; she decides in her browser while the command waits. */
async function logIn(decision: 'allow' | 'deny' = 'allow') {
  let userCode = '';
  const { around } = terminal();
  const outcome = await moonbase(['login'], {
    ...around,
    async fetch(url, request) {
      const answer = await fetch(url, request);
      if (url.endsWith('/oauth/device')) ({ user_code: userCode } = (await answer.clone().json()) as never);
      return answer;
    },
    async sleep() {
      const decided = await send('/api/oauth/device/decision', { userCode, decision, organizations: ['acme'] });
      expect(decided.status).toBe(200);
    },
  });
  return { ...outcome, userCode };
}

test('at a terminal a user logs in with a code in a browser, works, and logs out everywhere', async () => {
  const { status, out, err, userCode } = await logIn();
  expect([status, out]).toEqual([0, `Signed in to ${hub.hubUrl} as ada.\n`]);
  expect(err).toBe(`Open ${hub.hubUrl}/oauth/device in a browser, and type the code ${userCode}\n`);
  expect(statSync(file()).mode & 0o777).toBe(0o600);
  const { accessToken, refreshToken } = stored().logins[hub.hubUrl];
  expect([accessToken, refreshToken]).toEqual([
    expect.stringMatching(/^hf_oauth_/),
    expect.stringMatching(/^hf_refresh_/),
  ]);
  expect(await grants()).toMatchObject([{ application: { name: 'Moonbase command line' } }]);

  const { run } = terminal();
  expect((await run('whoami')).out).toMatch(/^ada\n/);
  for (const argv of [
    ['repos', 'create', 'acme/bert'],
    ['orgs', 'update', 'acme', '--fullname', 'Acme'],
    ['notifications', 'list'],
    ['sessions', 'list'],
    ['tokens', 'list'],
    ['webhooks', 'list'],
  ])
    expect([argv, (await run(...argv)).status]).toEqual([argv, 0]);
  // The login cannot create a token with more rights than its own.
  expect((await run('tokens', 'create', 'all', '--role', 'write')).status).not.toBe(0);
  expect((await run('users', 'list')).status).toBe(3);

  expect(await run('logout')).toMatchObject({ status: 0, out: `Signed out of ${hub.hubUrl}.\n` });
  expect(await grants()).toEqual([]);
  expect(
    (await fetch(`${hub.hubUrl}/api/whoami-v2`, { headers: { authorization: `Bearer ${accessToken}` } })).status,
  ).toBe(401);
});

test('a login is renewed before it expires, once, however many commands run at the same time', async () => {
  await logIn();
  const before = stored();
  before.logins[hub.hubUrl].expiresAt = Date.now() + HOUR;
  writeFileSync(file(), JSON.stringify(before));
  const { run, asked } = terminal();
  const outcomes = await Promise.all([run('whoami'), run('whoami'), run('tokens', 'list')]);
  expect(outcomes.map(({ status }) => status)).toEqual([0, 0, 0]);
  expect(asked.filter((path) => path === '/oauth/token')).toHaveLength(1);
  const after = stored().logins[hub.hubUrl];
  expect(after.accessToken).not.toBe(before.logins[hub.hubUrl].accessToken);
  expect(after.expiresAt).toBeGreaterThan(Date.now() + 29 * 24 * HOUR);
  await run('logout');
});

test('a command reports a login that its user ended, and a new login replaces it', async () => {
  await logIn();
  const [{ id } = { id: '' }] = (await grants()) as unknown as { id: string }[];
  const before = stored();
  before.logins[hub.hubUrl].expiresAt = Date.now() + HOUR;
  writeFileSync(file(), JSON.stringify(before));
  await fetch(`${hub.hubUrl}/api/admin/users/ada/grants/${id}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${ADMIN}` },
  });
  const { run } = terminal();
  expect(await run('whoami')).toMatchObject({
    status: 1,
    err: 'Your login has ended. Run `moonbase login` again.\n',
  });
  expect((await logIn()).status).toBe(0);
  expect((await logIn()).status).toBe(0);
  expect(await grants()).toHaveLength(1);
  await run('logout');
});

test('a refused login stores nothing', async () => {
  expect(await logIn('deny')).toMatchObject({ status: 1, out: '', err: expect.stringContaining('was refused.\n') });
  expect(() => stored()).toThrow();
});
