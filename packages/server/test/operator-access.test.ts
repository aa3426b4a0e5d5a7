import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyHub } from '@moonbase/client/admin';
import { exportAuditLog, exportSiteAuditLog } from '@moonbase/client/audit-log';
import { updateTokenPolicy } from '@moonbase/client/member-tokens';
import { whoAmI } from '@moonbase/client/profiles';
import { disableUser } from '@moonbase/client/users';
import { expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { createHub } from '../src/hub.ts';
import { operatorToken, resetPassword } from '../src/operator-access.ts';
import { openBrowser } from './browser.ts';
import { contractFetch } from './contract-fetch.ts';
import { keepingLogger } from './logged-lines.ts';
import { plainHashing } from './plain-hashing.ts';
import { createTestDatabase, engine } from './test-database.ts';

type Environment = Readonly<Record<string, string>>;
const ADMIN = 'hf_administratorOfTestsMayDoAllThereIs';

/** Creates an empty database that outlives its hubs: a folder on SQLite, a database of its own on PostgreSQL. */
async function lastingDatabase() {
  if (engine === 'postgres') return createTestDatabase('empty');
  const folder = mkdtempSync(join(tmpdir(), 'moonbase-test-'));
  return {
    environment: { MOONBASE_DATA_DIR: join(folder, 'data') },
    async [Symbol.asyncDispose]() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts a hub with background work, as the process would, with the users ada and bob. */
async function start(environment: Environment) {
  const settings = { MOONBASE_PORT: '0', MOONBASE_ADMIN_TOKEN: ADMIN, ...environment };
  const { lines, logger } = keepingLogger('warn');
  const hub = await createHub(readConfig(settings), { hashing: plainHashing, logger });
  await hub.prepare();
  const url = await hub.start();
  const as = (accessToken: string) => ({ hubUrl: url, accessToken, fetch: contractFetch, retry: false as const });
  const apply = (document: Parameters<typeof applyHub>[0]['document']) => applyHub({ ...as(ADMIN), document });
  await apply({ users: [{ name: 'ada' }, { name: 'bob' }] });
  return { hub, url, lines, as, apply, [Symbol.asyncDispose]: () => hub.stop() };
}

const configOf = (environment: Environment) => readConfig({ MOONBASE_ADMIN_TOKEN: ADMIN, ...environment });
const reset = (environment: Environment, user: string, options = {}) =>
  resetPassword(configOf(environment), user, options, plainHashing);

test('an operator makes a token for anybody, beside a running hub and without one, and the log of the hub names the user', async () => {
  await using database = await lastingDatabase();
  const { environment } = database;
  {
    await using running = await start(environment);
    const made = await operatorToken(configOf(environment), { user: 'ADA' });
    expect(made).toMatchObject({ user: 'ada', role: 'write', token: expect.stringMatching(/^hf_\w{34}$/) });
    expect(await whoAmI(running.as(made.token))).toMatchObject({ name: 'ada' });
    const told = () => running.lines.filter((line) => line.includes('an operator made an access token'));
    await expect.poll(told).toEqual([expect.stringContaining(`"user":"ada"`)]);
    expect(told()[0]).toContain(`"token":"${made.token.slice(-4)}"`);
    expect(running.lines.join('')).not.toContain(made.token);
  }
  const later = await operatorToken(configOf(environment), { user: 'admin', name: 'rescue', role: 'read', days: 1 });
  await using again = await start(environment);
  const { auth } = await whoAmI(again.as(later.token));
  expect(auth).toMatchObject({ accessToken: { displayName: 'rescue', role: 'read' } });
  expect(Date.parse(later.expiresAt ?? '') - Date.now()).toBeGreaterThan(23 * 60 * 60 * 1000);
  const recorded = await exportSiteAuditLog({ ...again.as(ADMIN), q: 'author:operator' });
  expect(recorded.map(({ message }) => message)).toEqual([
    'Made the access token rescue of admin',
    expect.stringMatching(/^Made the access token by the operator, .* of ada$/),
  ]);
  const [{ author, userAgent } = { author: undefined, userAgent: undefined }] = recorded;
  expect({ author, userAgent }).toMatchObject({ author: { type: 'system' }, userAgent: 'moonbase admin token' });
});

test('an operator resets a password: every session and open stream of the user ends, and the new password signs in', async () => {
  await using database = await lastingDatabase();
  const { environment } = database;
  await using running = await start(environment);
  const first = await reset(environment, 'ada');
  expect(first).toMatchObject({ user: 'ada', endedSessions: 0, password: expect.stringMatching(/^\w{24}$/) });
  const browser = openBrowser(running);
  const signIn = (password: string) => openBrowser(running).ask('POST /api/sign-in', { name: 'ada', password });
  expect((await browser.ask('POST /api/sign-in', { name: 'ada', password: first.password })).status).toBe(200);
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const stream = await fetch(`${running.url}/api/notifications/stream`, {
    headers: { cookie, 'sec-fetch-site': 'same-origin' },
  });
  expect(stream.status).toBe(200);

  const second = await reset(environment, 'ada');
  expect(second.endedSessions).toBe(1);
  expect((await browser.ask('GET /api/whoami-v2')).status).toBe(401);
  // The stream ends once the hub has found the event.
  await stream.text();
  expect((await signIn(first.password)).status).toBe(401);
  expect((await signIn(second.password)).status).toBe(200);
  expect(running.lines.join('')).toContain('"user":"ada"');
  expect(running.lines.filter((line) => line.includes('an operator gave a user a new password'))).toHaveLength(2);
  for (const { password } of [first, second]) expect(running.lines.join('')).not.toContain(password);
  const recorded = await exportSiteAuditLog({ ...running.as(ADMIN), q: 'type:user.password' });
  expect(recorded).toMatchObject([
    { message: 'Gave ada a new password', author: { user: 'operator' }, data: { endedSessions: 1 } },
    { message: 'Gave ada a new password', data: { endedSessions: 0 } },
  ]);
});

test('a command for an unknown or disabled user, an organization or a taken name is refused with a sentence', async () => {
  await using database = await lastingDatabase();
  const { environment } = database;
  if (engine === 'sqlite') await expect(reset(environment, 'ada')).rejects.toThrow('There is no database');
  await using running = await start(environment);
  await running.apply({ organizations: [{ name: 'acme' }] });
  await disableUser({ ...running.as(ADMIN), username: 'bob' });
  const make = (user: string, name?: string) => operatorToken(configOf(environment), { user, name });
  for (const command of [make, (user: string) => reset(environment, user)]) {
    await expect(command('nobody')).rejects.toThrow('There is no user named nobody');
    await expect(command('acme')).rejects.toThrow('There is no user named acme');
    await expect(command('bob')).rejects.toThrow('bob is disabled; enable the user first');
  }
  await make('ada', 'rescue');
  await expect(make('ada', 'rescue')).rejects.toThrow('ada already has a token named rescue');
});

test('the rules of the site hold: the length of passwords, who may have one, and the approval of tokens', async () => {
  await using database = await lastingDatabase();
  const { environment } = database;
  await using running = await start(environment);
  const long = await reset({ ...environment, MOONBASE_PASSWORD_MIN: '40' }, 'ada');
  expect(long.password).toHaveLength(40);
  const withoutPasswords = { ...environment, MOONBASE_SIGN_IN: 'token' };
  await expect(reset(withoutPasswords, 'ada')).rejects.toThrow('does not allow signing in with a password');
  // Nobody else could help a site administrator.
  expect(await reset(withoutPasswords, 'admin')).toMatchObject({ user: 'admin' });

  const members = [
    { user: 'admin', role: 'admin' as const },
    { user: 'ada', role: 'write' as const },
  ];
  await running.apply({ organizations: [{ name: 'acme', plan: 'enterprise', members }] });
  await updateTokenPolicy({ ...running.as(ADMIN), name: 'acme', policy: 'approval' });
  const { token } = await operatorToken(configOf(environment), { user: 'ada' });
  const [event] = await exportAuditLog({ ...running.as(ADMIN), name: 'acme' });
  expect(event).toMatchObject({
    type: 'org.token_approval.authorization_request',
    author: { user: 'ada' },
    userAgent: 'moonbase admin token',
    token: { last4: token.slice(-4) },
  });
});

test('a token of the settings that is none of an old database is noticed, as is one that is no administrator’s any more', async () => {
  await using database = await lastingDatabase();
  const { environment } = database;
  const isForeign = async (token: string) => {
    const hub = await createHub(readConfig({ MOONBASE_PORT: '0', ...environment, MOONBASE_ADMIN_TOKEN: token }), {
      ...{ background: false, hashing: plainHashing, logger: keepingLogger('warn').logger },
    });
    try {
      await hub.prepare();
      return await hub.hasForeignAdminToken();
    } finally {
      await hub.stop();
    }
  };
  expect(await isForeign(ADMIN)).toBe(false);
  expect(await isForeign(ADMIN.replace('administrator', 'anotherAdministrator'))).toBe(true);
  const { token } = await operatorToken(configOf(environment), { user: 'admin' });
  expect(await isForeign(token)).toBe(false);
  {
    await using _running = await start(environment);
  }
  expect(await isForeign((await operatorToken(configOf(environment), { user: 'ada' })).token)).toBe(true);
});
