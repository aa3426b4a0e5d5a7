import { createUserLink } from '@moonbase/client/authentication';
import { deleteUser, disableUser, enableUser } from '@moonbase/client/users';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openBrowser } from './browser.ts';
import { startHub, type TestHub } from './harness.ts';
import { plainHashing } from './plain-hashing.ts';
import { newUser, PATCH, startScim } from './scim-fixture.ts';
import { createTestDatabase, engine, type TestDatabase } from './test-database.ts';

/**
 * Two hubs share one database, as behind a load balancer: a session that ends at one is unknown to the other from the
 * next request on, and its open streams end within a second. On SQLite, which allows only one hub, that hub plays both
 * parts.
 */

const HOME = 'https://hub.example.com';
const PASSWORD = 'seven quiet herons';
/** Without a signal, streams check their caller only after 15 seconds. */
const SOON_MS = 12_000;

let shared: TestDatabase;
let hubs: TestHub[];
let here: TestHub;
let there: TestHub;
let names = 0;
/** A user whom no earlier test has used. */
let ada: string;

beforeAll(async () => {
  shared = await createTestDatabase();
  const start = () => startHub({ ...shared.environment, MOONBASE_PUBLIC_URL: HOME }, { hashing: plainHashing });
  hubs = [await start()];
  if (engine === 'postgres') hubs.push(await start());
  [here, there] = [hubs[0] as TestHub, hubs.at(-1) as TestHub];
});
afterAll(async () => {
  for (const hub of hubs) await hub[Symbol.asyncDispose]();
  await shared[Symbol.asyncDispose]();
});
beforeEach(async () => {
  names += 1;
  ada = `ada-${names}`;
  await here.people(ada);
});

type Browser = ReturnType<typeof openBrowser>;

/** Signs a user in at one hub with a link. */
async function signedIn(hub: TestHub, username: string, at = hub, home = HOME): Promise<Browser> {
  const browser = openBrowser(at, { home });
  const { url } = await createUserLink({ ...hub.admin, username, purpose: 'invite' });
  const path = new URL(url).pathname.replace('/join/', '/api/links/');
  expect((await browser.ask(`POST ${path}`, { password: PASSWORD })).status).toBe(200);
  return browser;
}

/** Returns the same browser with another hub behind it. */
function movedTo(hub: TestHub, { cookies }: Browser): Browser {
  const browser = openBrowser(hub, { home: HOME });
  for (const [name, value] of cookies) browser.cookies.set(name, value);
  return browser;
}

/**
 * Opens the stream of notifications with the cookies of a browser; the returned promise resolves when the stream ends.
 */
async function streamOf({ url }: TestHub, { cookies }: Browser): Promise<{ readonly ended: Promise<void> }> {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const headers = { cookie, 'sec-fetch-site': 'same-origin' };
  const answer = await fetch(`${url}/api/notifications/stream`, { headers });
  expect(answer.status).toBe(200);
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  await reader.read();
  const toEnd = async () => {
    while (!(await reader.read()).done);
  };
  return { ended: toEnd() };
}

const status = async (browser: Browser) => (await browser.ask('GET /api/whoami-v2')).status;

describe.each<[string, (browser: Browser) => Promise<unknown>]>([
  ['signs out', (browser) => browser.ask('POST /api/sign-out', {})],
  ['ends it by its id', endOwn],
  [
    'sets another password elsewhere',
    async () => {
      const other = openBrowser(here, { home: HOME });
      await other.ask('POST /api/sign-in', { name: ada, password: PASSWORD });
      expect((await other.ask('PUT /api/settings/password', { password: 'nine distant herons' })).status).toBe(200);
    },
  ],
  ['is signed out by an administrator', () => asAdmin(`DELETE /api/admin/users/${ada}/sessions`)],
  [
    'is signed out of it by an administrator',
    async () => {
      const { body } = await asAdmin(`GET /api/admin/users/${ada}/sessions`);
      expect(body).toMatchObject([{ current: false, method: 'link' }]);
      return asAdmin(`DELETE /api/admin/users/${ada}/sessions/${body[0].id}`);
    },
  ],
  ['is disabled (row 29)', () => disableUser({ ...here.admin, username: ada })],
  ['is deleted (row 30)', () => deleteUser({ ...here.admin, username: ada })],
])('when the user %s', (_, end) => {
  test('an ended session is unknown to every process from the next request on, and its streams end', async () => {
    const browser = await signedIn(here, ada);
    const elsewhere = movedTo(there, browser);
    expect(await status(elsewhere)).toBe(200);
    const streams = [await streamOf(here, browser), await streamOf(there, elsewhere)];
    await end(browser);
    const startedAt = performance.now();
    expect(await status(elsewhere)).toBe(401);
    expect((await elsewhere.ask('GET /api/notifications')).status).toBe(401);
    await Promise.all(streams.map(({ ended }) => ended));
    expect(performance.now() - startedAt).toBeLessThan(SOON_MS);
  });
});

const asAdmin = (request: string) =>
  openBrowser(here).ask(request, undefined, { authorization: `Bearer ${here.admin.accessToken}` });

async function endOwn(browser: Browser): Promise<void> {
  const { body } = await browser.ask('GET /api/settings/sessions');
  await browser.ask(`DELETE /api/settings/sessions/${body[0].id}`);
}

test('only a site administrator lists and ends the sessions of another user', async () => {
  const browser = await signedIn(here, ada);
  const { body } = await asAdmin(`GET /api/admin/users/${ada}/sessions`);
  const one = `DELETE /api/admin/users/${ada}/sessions/${body[0].id}`;
  for (const request of [one, `GET /api/admin/users/${ada}/sessions`])
    expect((await browser.ask(request)).status).toBe(403);
  await here.people('somebody-else');
  expect((await asAdmin(one.replace(ada, 'somebody-else'))).status).toBe(404);
  expect((await asAdmin(one.replace(ada, 'nobody'))).status).toBe(404);
  expect(await status(browser)).toBe(200);
});

test('row 29: a session works again after its user was disabled and enabled', async () => {
  const browser = await signedIn(here, ada);
  await disableUser({ ...here.admin, username: ada });
  expect(await status(movedTo(there, browser))).toBe(401);
  await enableUser({ ...there.admin, username: ada });
  expect(await status(browser)).toBe(200);
});

test('row 29: when SCIM deactivates a user, the session and its stream end, and work again once SCIM reactivates the user', async () => {
  await using fixture = await startScim({ hashing: plainHashing });
  const { hub, scim } = fixture;
  const { body } = await scim('POST /Users', newUser('dora'));
  const browser = await signedIn(hub, 'dora', hub, hub.url);
  const stream = await streamOf(hub, browser);
  const startedAt = performance.now();
  const setActive = (active: boolean) => scim(`PATCH /Users/${body.id}`, PATCH({ op: 'replace', value: { active } }));
  expect((await setActive(false)).status).toBe(200);
  await stream.ended;
  expect(performance.now() - startedAt).toBeLessThan(SOON_MS);
  expect(await status(browser)).toBe(401);
  await setActive(true);
  expect(await status(browser)).toBe(200);
});

test('row 30: a new user with the name of a deleted one inherits no address, link, browser or session', async () => {
  const browser = await signedIn(here, ada);
  await here.apply({ users: [{ name: ada, email: `${ada}@example.com` }] });
  const { url } = await createUserLink({ ...here.admin, username: ada, purpose: 'reset' });
  await deleteUser({ ...here.admin, username: ada });
  const { read } = here.database;
  for (const table of ['passwords', 'sessions', 'one_time_links', 'known_browsers'] as const) {
    const rows = await read.selectFrom(table).innerJoin('accounts', 'accounts.id', 'user_id').select('name').execute();
    expect(rows.filter(({ name }) => name === ada)).toEqual([]);
  }
  await here.people(ada);
  expect(await status(movedTo(there, browser))).toBe(401);
  const link = new URL(url).pathname.replace('/join/', '/api/links/');
  expect((await openBrowser(there).ask(`GET ${link}`)).status).toBe(404);
  for (const name of [ada, `${ada}@example.com`])
    expect(
      (await openBrowser(there, { home: HOME }).ask('POST /api/sign-in', { name, password: PASSWORD })).status,
    ).toBe(401);
});
