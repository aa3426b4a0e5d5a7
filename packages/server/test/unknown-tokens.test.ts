import { createRepo } from '@moonbase/client/repositories';
import { expect, test, vi } from 'vitest';
import { MOST_UNKNOWN } from '../src/platform/limits/unknown-tokens.ts';
import { ask } from './ask.ts';
import { MINUTE } from './clock.ts';
import { startHub, type TestHub, tokenOf } from './harness.ts';

const BEHIND_PROXY = { MOONBASE_TRUSTED_PROXIES: '127.0.0.1' };

/** Asks with a token from an address. */
const from = (hub: TestHub, address: string, accessToken: string, path = '/api/whoami-v2') =>
  ask({ hubUrl: hub.url, accessToken }, `GET ${path}`, undefined, { 'x-forwarded-for': address });

const statusFrom = async (...request: Parameters<typeof from>) => (await from(...request)).status;

/** Brings so many tokens that nobody has. */
async function guess(hub: TestHub, address: string, times: number): Promise<Set<number>> {
  const statuses = new Set<number>();
  for (let number = 0; number < times; number++) statuses.add(await statusFrom(hub, address, `hf_guess${number}`));
  return statuses;
}

test('an address that brings many unknown tokens is looked up no more, others and their tokens are', async () => {
  await using hub = await startHub(BEHIND_PROXY);
  await hub.people('alice', 'bob', 'carol');
  expect(await guess(hub, '192.0.2.1', 1)).toEqual(new Set([401]));
  // A colleague behind the same address.
  expect(await statusFrom(hub, '192.0.2.1', tokenOf('alice'))).toBe(200);
  expect(await guess(hub, '192.0.2.1', MOST_UNKNOWN - 1)).toEqual(new Set([401]));

  const refused = await from(hub, '192.0.2.1', 'hf_guessAgain');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '300']);
  expect(await refused.json()).toEqual({
    error: 'Too many requests with unknown access tokens came from your address; try again in 300 s',
  });
  // Not even a good one, as far as it was not seen there before: that would tell which is good.
  expect(await statusFrom(hub, '192.0.2.1', tokenOf('bob'))).toBe(429);
  expect(await statusFrom(hub, '192.0.2.1', tokenOf('alice'))).toBe(200);
  expect(await statusFrom(hub, '192.0.2.2', tokenOf('bob'))).toBe(200);
  expect((await ask({ hubUrl: hub.url }, 'GET /api/version')).status).toBe(200);
  hub.clock.advance(5 * MINUTE);
  expect(await statusFrom(hub, '192.0.2.1', tokenOf('bob'))).toBe(200);
  expect(await statusFrom(hub, '192.0.2.1', 'hf_guessAgain')).toBe(401);
});

test('the /64 of IPv6 is one address, and routes that look at tokens themselves are guarded, too', async () => {
  await using hub = await startHub(BEHIND_PROXY);
  await hub.people('alice');
  for (let number = 0; number < MOST_UNKNOWN; number++)
    await from(hub, `2001:db8::${number.toString(16)}`, 'hf_guess', '/api/users/alice/avatar');
  expect(await statusFrom(hub, '2001:db8::ffff:1', 'hf_guess', '/api/users/alice/avatar')).toBe(429);
  expect(await statusFrom(hub, '2001:db8:0:1::1', 'hf_guess', '/api/users/alice/avatar')).toBe(401);
});

test('a token costs one query, known or not, and none where its address is refused', async () => {
  await using hub = await startHub(BEHIND_PROXY);
  await hub.people('alice');
  await createRepo({ ...hub.as('alice'), repo: 'alice/letters' });
  const queries = vi.spyOn(hub.database.executor, 'executeQuery');
  const costOf = async (token: string) => {
    queries.mockClear();
    await from(hub, '192.0.2.1', token, '/api/version/nothing');
    await from(hub, '192.0.2.1', token, '/api/jobs/hardware');
    return queries.mock.calls.length;
  };
  expect(await costOf('hf_guess')).toBe(1);
  expect(await costOf(tokenOf('alice'))).toBe(1);
  await guess(hub, '192.0.2.1', MOST_UNKNOWN);
  expect(await costOf('hf_guess')).toBe(0);
});

test('in development mode, where only this machine asks, nobody is refused', async () => {
  await using hub = await startHub();
  for (let number = 0; number <= MOST_UNKNOWN; number++)
    expect((await ask({ hubUrl: hub.url, accessToken: `hf_guess${number}` }, 'GET /api/whoami-v2')).status).toBe(401);
});
