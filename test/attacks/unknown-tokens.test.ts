import { expect, test } from 'vitest';
import { MAX_UNKNOWN } from '../../packages/server/src/platform/limits/unknown-tokens.ts';
import { ask } from '../../packages/server/test/ask.ts';
import { MINUTE } from '../../packages/server/test/clock.ts';
import { startHub, type TestHub, tokenOf } from '../../packages/server/test/harness.ts';
import { noteQueries } from '../../packages/server/test/note-queries.ts';

/**
 * A stranger sends unknown tokens from an address that others share: an office, a proxy, a cluster. The stranger is
 * told to wait; everybody with a valid token continues, even with a token that was never used from there.
 */

const BEHIND_PROXY = { MOONBASE_TRUSTED_PROXIES: '127.0.0.1' };

/** Calls the hub with a token from an address. */
const from = (hub: TestHub, address: string, accessToken: string, path = '/api/whoami-v2') =>
  ask({ hubUrl: hub.url, accessToken }, `GET ${path}`, undefined, { 'x-forwarded-for': address });

const statusFrom = async (...request: Parameters<typeof from>) => (await from(...request)).status;

/** Tries this many distinct unknown tokens. */
async function guess(hub: TestHub, address: string, times: number): Promise<Set<number>> {
  const statuses = new Set<number>();
  for (let number = 0; number < times; number++) statuses.add(await statusFrom(hub, address, `hf_guess${number}`));
  return statuses;
}

test('many unknown tokens from an address do not lock out other users at that address', async () => {
  await using hub = await startHub(BEHIND_PROXY);
  await hub.people('alice', 'bob');
  expect(await statusFrom(hub, '192.0.2.1', tokenOf('alice'))).toBe(200);
  expect(await guess(hub, '192.0.2.1', MAX_UNKNOWN)).toEqual(new Set([401]));
  expect(await statusFrom(hub, '192.0.2.1', 'hf_guessAgain')).toBe(429);

  expect(await statusFrom(hub, '192.0.2.1', tokenOf('alice'))).toBe(200);
  // bob has never used this address before.
  expect(await statusFrom(hub, '192.0.2.1', tokenOf('bob'))).toBe(200);
  expect(await statusFrom(hub, '192.0.2.1', hub.admin.accessToken)).toBe(200);
  expect(await statusFrom(hub, '192.0.2.1', hub.admin.accessToken, '/metrics')).toBe(200);
  // carol is created after the address was told to wait.
  await hub.people('carol');
  expect(await statusFrom(hub, '192.0.2.1', tokenOf('carol'))).toBe(200);
});

test('further unknown tokens from such an address get 429 until the window ends', async () => {
  await using hub = await startHub(BEHIND_PROXY);
  await guess(hub, '192.0.2.1', MAX_UNKNOWN);
  const refused = await from(hub, '192.0.2.1', 'hf_guessAgain');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '300']);
  expect(await refused.json()).toEqual({
    error: 'Too many unknown access tokens came from your address; try again in 300 s',
  });
  expect(await statusFrom(hub, '192.0.2.2', 'hf_guessAgain')).toBe(401);
  expect((await ask({ hubUrl: hub.url }, 'GET /api/version')).status).toBe(200);
  hub.clock.advance(5 * MINUTE);
  expect(await statusFrom(hub, '192.0.2.1', 'hf_guessAgain')).toBe(401);
});

test('one expired token that a program sends again and again counts once', async () => {
  await using hub = await startHub(BEHIND_PROXY);
  for (let time = 0; time <= MAX_UNKNOWN; time++) expect(await statusFrom(hub, '192.0.2.1', 'hf_expired')).toBe(401);
  expect(await guess(hub, '192.0.2.1', MAX_UNKNOWN - 1)).toEqual(new Set([401]));
  expect(await statusFrom(hub, '192.0.2.1', 'hf_guessAgain')).toBe(429);
  // The token that was counted still gets 401.
  expect(await statusFrom(hub, '192.0.2.1', 'hf_expired')).toBe(401);
});

test('an IPv6 /64 counts as one address, and routes that check tokens themselves are guarded, too', async () => {
  await using hub = await startHub(BEHIND_PROXY);
  await hub.people('alice');
  const avatar = '/api/users/alice/avatar';
  for (let number = 0; number < MAX_UNKNOWN; number++)
    await from(hub, `2001:db8::${number.toString(16)}`, `hf_guess${number}`, avatar);
  expect(await statusFrom(hub, '2001:db8::ffff:1', 'hf_guessAgain', avatar)).toBe(429);
  expect(await statusFrom(hub, '2001:db8::ffff:1', tokenOf('alice'), avatar)).toBe(200);
  expect(await statusFrom(hub, '2001:db8:0:1::1', 'hf_guessAgain', avatar)).toBe(401);
});

test('unknown tokens at the sign-in page count like those in headers, and a valid one signs in all the same', async () => {
  await using hub = await startHub(BEHIND_PROXY);
  await hub.people('alice');
  const signIn = async (address: string, token: string) =>
    (await ask({ hubUrl: hub.url }, 'POST /api/sign-in/token', { token }, { 'x-forwarded-for': address })).status;
  const statuses = new Set<number>();
  for (let number = 0; number < MAX_UNKNOWN; number++) statuses.add(await signIn('192.0.2.1', `hf_guess${number}`));
  expect(statuses).toEqual(new Set([401]));
  expect(await signIn('192.0.2.1', 'hf_guessAgain')).toBe(429);
  expect(await statusFrom(hub, '192.0.2.1', 'hf_guessInHeader')).toBe(429);
  expect(await signIn('192.0.2.1', 'hf_guess0')).toBe(401);
  expect(await signIn('192.0.2.1', tokenOf('alice'))).toBe(200);
  expect(await signIn('192.0.2.2', 'hf_guessAgain')).toBe(401);
});

test('a token costs one query, known or not, however many unknown tokens its address has sent', async () => {
  await using hub = await startHub(BEHIND_PROXY);
  await hub.people('alice');
  using queries = noteQueries(hub.database.read);
  const costOf = async (token: string) => {
    const before = queries.texts.length;
    await from(hub, '192.0.2.1', token, '/api/version/nothing');
    await from(hub, '192.0.2.1', token, '/api/jobs/hardware');
    return queries.texts.length - before;
  };
  // The first use writes a note, which costs further queries.
  await costOf(tokenOf('alice'));
  expect(await costOf('hf_guess')).toBe(1);
  expect(await costOf(tokenOf('alice'))).toBe(1);
  await guess(hub, '192.0.2.1', MAX_UNKNOWN);
  expect(await costOf('hf_guessAgain')).toBe(1);
  expect(await costOf(tokenOf('alice'))).toBe(1);
});

test('in development mode, which serves local requests only, no request is refused', async () => {
  await using hub = await startHub();
  for (let number = 0; number <= MAX_UNKNOWN; number++)
    expect((await ask({ hubUrl: hub.url, accessToken: `hf_guess${number}` }, 'GET /api/whoami-v2')).status).toBe(401);
});
