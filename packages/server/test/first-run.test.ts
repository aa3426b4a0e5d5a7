import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { streamNotifications } from '@moonbase/client/notifications';
import { whoAmI } from '@moonbase/client/profiles';
import { createRepo } from '@moonbase/client/repositories';
import { disableUser } from '@moonbase/client/users';
import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { createHub } from '../src/hub.ts';
import { openDatabase } from '../src/platform/database/transaction.ts';
import { sha256 } from '../src/platform/secrets.ts';
import { setupLink } from '../src/setup-link.ts';
import { openBrowser } from './browser.ts';
import { contractFetch } from './contract-fetch.ts';
import { migrateUpTo } from './migrate-up-to.ts';
import { plainHashing } from './plain-hashing.ts';
import { createTestDatabase, engine } from './test-database.ts';

type Environment = Readonly<Record<string, string>>;

const ADMIN = 'hf_administratorOfTests';
const PASSWORD = 'seven quiet herons';
const ANOTHER = 'nine distant herons';
const HOUR = 60 * 60 * 1000;

/** Creates an empty database that outlives its hubs: a folder on SQLite, a database of its own on PostgreSQL. */
async function lastingDatabase() {
  if (engine === 'postgres') return createTestDatabase('empty');
  const folder = mkdtempSync(join(tmpdir(), 'moonbase-test-'));
  return {
    environment: { MOONBASE_DATA_DIR: join(folder, 'data') },
    location: { folder: join(folder, 'data') },
    async [Symbol.asyncDispose]() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts a hub as the process would, without background work. */
async function start(environment: Environment) {
  const config = readConfig({ MOONBASE_PORT: '0', ...environment });
  const hub = await createHub(config, {
    ...{ background: false, hashing: plainHashing, logger: pino({ level: 'silent' }) },
  });
  const first = await hub.prepare();
  const url = await hub.start();
  return {
    ...{ first, url, environment: { ...environment, MOONBASE_PORT: new URL(url).port } },
    with: (accessToken: string) => ({ hubUrl: url, accessToken, fetch: contractFetch, retry: false as const }),
    [Symbol.asyncDispose]: () => hub.stop(),
  };
}

const linkOf = (environment: Environment, user?: string) => setupLink(readConfig(environment), user);
const pathOf = (url: string) => new URL(url).pathname.replace('/join/', '/api/links/');

test('row 32: the first start prints a link with which its owner chooses a name and a password, once', async () => {
  await using database = await lastingDatabase();
  await using hub = await start(database.environment);
  const { setupCode = '', newToken = '' } = hub.first ?? {};
  const link = `/api/links/${setupCode}`;
  const browser = openBrowser(hub);
  expect((await browser.ask(`GET ${link}`)).body).toMatchObject({ purpose: 'setup', user: 'admin' });
  expect((await browser.ask(`POST ${link}`, { name: 'grace', password: PASSWORD })).status).toBe(200);
  expect((await browser.ask('GET /api/whoami-v2')).body).toMatchObject({ name: 'grace', isAdmin: true });
  for (const request of [`GET ${link}`, `POST ${link}`])
    expect(
      (await openBrowser(hub).ask(request, request.startsWith('POST') ? { password: ANOTHER } : undefined)).status,
    ).toBe(410);
  // The token of the first start belongs to her as well.
  expect(await whoAmI(hub.with(newToken))).toMatchObject({ name: 'grace' });
});

test('the first start prints the link even if the settings fix the token, and later starts print none', async () => {
  await using database = await lastingDatabase();
  const environment = { ...database.environment, MOONBASE_ADMIN_TOKEN: ADMIN };
  {
    await using first = await start(environment);
    expect(first.first).toMatchObject({ newToken: undefined, setupCode: expect.stringMatching(/^[\w-]{43}$/) });
  }
  await using later = await start(environment);
  expect(later.first).toBeUndefined();
});

test('row 32: every setup link is void once a site administrator can sign in', async () => {
  await using database = await lastingDatabase();
  const environment = { ...database.environment, MOONBASE_ADMIN_TOKEN: ADMIN };
  await using hub = await start(environment);
  const { url, ...made } = await linkOf(hub.environment);
  expect(made).toMatchObject({ user: 'admin', purpose: 'setup' });
  // The newer link replaces the one of the first start.
  expect((await openBrowser(hub).ask(`GET /api/links/${hub.first?.setupCode}`)).status).toBe(410);
  const authorization = `Bearer ${ADMIN}`;
  const document = { users: [{ name: 'root', admin: true }] };
  expect((await openBrowser(hub).ask('PUT /api/admin/hub', document, { authorization })).status).toBe(200);
  const invited = await openBrowser(hub).ask(
    'POST /api/admin/users/root/links',
    { purpose: 'setup' },
    { authorization },
  );
  expect((await openBrowser(hub).ask(`POST ${pathOf(invited.body.url)}`, { password: PASSWORD })).status).toBe(200);
  for (const request of [`GET ${pathOf(url)}`, `POST ${pathOf(url)}`])
    expect(
      (await openBrowser(hub).ask(request, request.startsWith('POST') ? { password: ANOTHER } : undefined)).status,
    ).toBe(410);
});

test('row 31: the last site administrator stays, and whoever controls the machine can get in while the hub runs', async () => {
  await using database = await lastingDatabase();
  const environment = { ...database.environment, MOONBASE_ADMIN_TOKEN: ADMIN };
  await using hub = await start(environment);
  await expect(disableUser({ ...hub.with(ADMIN), username: 'admin' })).rejects.toMatchObject({ status: 409 });
  const setup = await linkOf(hub.environment);
  expect(setup.url).toContain(`${hub.url}/join/`);
  const browser = openBrowser(hub);
  expect((await browser.ask(`POST ${pathOf(setup.url)}`, { password: PASSWORD })).status).toBe(200);

  // Next, the password is lost.
  const reset = await linkOf(hub.environment, 'ADMIN');
  expect(reset).toMatchObject({ user: 'admin', purpose: 'reset' });
  expect(Date.parse(reset.expiresAt) - Date.now()).toBeLessThan(HOUR);
  const again = openBrowser(hub);
  expect((await again.ask(`POST ${pathOf(reset.url)}`, { password: ANOTHER })).status).toBe(200);
  expect((await browser.ask('GET /api/whoami-v2')).status).toBe(401);
  expect((await again.ask('GET /api/whoami-v2')).body).toMatchObject({ name: 'admin' });
});

test('a setup link is refused with a sentence: no administrator of that name, no database, an old one', async () => {
  await using database = await lastingDatabase();
  if (engine === 'sqlite') await expect(linkOf(database.environment)).rejects.toThrow('There is no database');
  {
    await using hub = await start({ ...database.environment, MOONBASE_ADMIN_TOKEN: ADMIN });
    const authorization = `Bearer ${ADMIN}`;
    const document = { users: [{ name: 'ada' }] };
    expect((await openBrowser(hub).ask('PUT /api/admin/hub', document, { authorization })).status).toBe(200);
  }
  await expect(linkOf(database.environment, 'ada')).rejects.toThrow('ada is not a site administrator');
  await expect(linkOf(database.environment, 'nobody')).rejects.toThrow('nobody');
  const opened = openDatabase(database.location);
  await opened.transaction((tx) => sql`delete from migrations where name like '0062%'`.execute(tx));
  await opened[Symbol.asyncDispose]();
  await expect(linkOf(database.environment)).rejects.toThrow('of another version');
});

test('a hub from before users could sign in keeps its tokens, and its administrator gets in with a link', async () => {
  await using database = await lastingDatabase();
  const id = (name: string) => sha256(name).slice(0, 24);
  {
    const opened = openDatabase(database.location);
    await migrateUpTo(opened, '0059');
    await opened.transaction(async (tx) => {
      const run = (statement: string) => sql.raw(statement).execute(tx);
      for (const [name, admin] of Object.entries({ admin: 1, ada: 0 })) {
        await run(`insert into accounts (id, kind, name, name_key, fullname, created_at, site_admin)
          values ('${id(name)}', 'user', '${name}', '${name}', '${name}', 1, ${admin})`);
        await run(`insert into tokens (id, user_id, display_name, role, hash, last4, created_at)
          values ('${id(`token of ${name}`)}', '${id(name)}', 'laptop', 'write', '${sha256(`hf_tokenOf${name}00`)}', 'xx00', 1)`);
      }
    });
    await opened[Symbol.asyncDispose]();
  }
  await expect(linkOf(database.environment)).rejects.toThrow('moonbase migrate');
  let link = '';
  {
    await using hub = await start(database.environment);
    expect(hub.first).toBeUndefined();
    const ada = hub.with('hf_tokenOfada00');
    expect((await whoAmI(ada)).auth).toMatchObject({ type: 'access_token', accessToken: { role: 'write' } });
    await createRepo({ ...ada, repo: 'ada/letters' });
    const stream = streamNotifications(ada);
    await stream.next();
    await stream.return();
  }
  // The command also works while the hub is down.
  link = pathOf((await linkOf(database.environment)).url);
  await using hub = await start(database.environment);
  const browser = openBrowser(hub);
  expect((await browser.ask(`POST ${link}`, { password: PASSWORD })).status).toBe(200);
  expect((await browser.ask('GET /api/whoami-v2')).body).toMatchObject({ name: 'admin', isAdmin: true });
  for (const name of ['admin', 'ada']) expect(await whoAmI(hub.with(`hf_tokenOf${name}00`))).toMatchObject({ name });
});
