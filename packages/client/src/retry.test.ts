import { describe, expect, test } from 'vitest';
import { HubApiError } from './errors.ts';
import { createRepo } from './generated/repositories.ts';
import { getReady } from './generated/service.ts';
import { listDeliveries } from './generated/webhooks.ts';
import type { Fetch } from './request.ts';
import { requestedWaitMs, sleep } from './retry.ts';

const NOW = Date.parse('2026-01-31T12:00:00Z');
const hubUrl = 'http://hub.test';

/** Returns a hub that refuses a number of requests before it succeeds, and the waits in between. */
function busyHub(status: number, headers: Record<string, string>, times: number) {
  const waits: number[] = [];
  let asked = 0;
  const fetch: Fetch = async () =>
    ++asked <= times ? Response.json({ error: 'Later' }, { status, headers }) : Response.json({ status: 'ok' });
  const retry = {
    now: () => NOW,
    random: () => 0.5,
    async sleep(milliseconds: number) {
      waits.push(milliseconds);
    },
  };
  return { hub: { hubUrl, fetch, retry }, waits, asked: () => asked };
}

describe('a busy hub', () => {
  test.each([
    ['after the seconds of Retry-After', { 'Retry-After': '3' }, [3000]],
    ['after the date of Retry-After', { 'Retry-After': 'Sat, 31 Jan 2026 12:00:09 GMT' }, [9000]],
    ['at once if that date has passed', { 'Retry-After': 'Sat, 31 Jan 2026 11:00:00 GMT' }, [0]],
    ['when a spent RateLimit resets', { RateLimit: '"api";r=0;t=5', 'Retry-After': '9' }, [6000]],
    ['after Retry-After while RateLimit is not spent', { RateLimit: '"api";r=10;t=5', 'Retry-After': '9' }, [9000]],
    ['after the default wait if the hub names none', {}, [375]],
    ['after the default wait if the hub sends nonsense', { 'Retry-After': 'soon', RateLimit: 'r=0' }, [375]],
  ])('is asked again %s', async (_, headers, expected) => {
    const { hub, waits } = busyHub(429, headers as Record<string, string>, 1);
    expect(await getReady(hub)).toEqual({ status: 'ok' });
    expect(waits).toEqual(expected);
  });

  test('is asked two more times, with growing waits', async () => {
    const { hub, waits, asked } = busyHub(503, {}, 9);
    await expect(getReady(hub)).rejects.toMatchObject({ status: 503, message: 'Later' });
    expect({ waits, asked: asked() }).toEqual({ waits: [375, 750], asked: 3 });
  });

  test('is not waited for longer than half a minute; the error says how long the hub asked to wait', async () => {
    const { hub, waits } = busyHub(429, { 'Retry-After': '31' }, 1);
    const refusal = await getReady(hub).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(HubApiError);
    expect({ refusal, waits }).toMatchObject({ refusal: { status: 429, retryAfter: 31 }, waits: [] });
  });

  test('is asked as often and waited for as long as the caller configures', async () => {
    const patient = busyHub(429, { 'Retry-After': '60' }, 4);
    await getReady({ ...patient.hub, retry: { ...patient.hub.retry, retries: 4, maxWait: 60_000 } });
    expect(patient.waits).toEqual([60_000, 60_000, 60_000, 60_000]);
    const never = busyHub(429, { 'Retry-After': '1' }, 1);
    await expect(getReady({ ...never.hub, retry: false })).rejects.toMatchObject({ status: 429, retryAfter: 1 });
    expect(never.asked()).toBe(1);
  });

  test('is sent a change again after 429, which had no effect, but not after 503, which may have had one', async () => {
    const refused = busyHub(429, {}, 1);
    await createRepo({ ...refused.hub, repo: 'ada/x' });
    expect(refused.asked()).toBe(2);
    const broken = busyHub(503, { 'Retry-After': '1' }, 1);
    await expect(createRepo({ ...broken.hub, repo: 'ada/x' })).rejects.toMatchObject({ status: 503 });
    expect(broken.asked()).toBe(1);
  });

  test.each([400, 401, 404, 500, 502])('is not assumed for status %i', async (status) => {
    const { hub, asked } = busyHub(status, { 'Retry-After': '1' }, 1);
    await expect(getReady(hub)).rejects.toMatchObject({ status });
    expect(asked()).toBe(1);
  });

  test('is asked again for any page of a list', async () => {
    let asked = 0;
    const fetch: Fetch = async () => {
      asked++;
      if (asked % 2 === 1) return Response.json({}, { status: 429 });
      return Response.json([{ id: String(asked) }], asked < 4 ? { headers: { Link: '<?cursor=1>; rel="next"' } } : {});
    };
    const ids: string[] = [];
    const list = listDeliveries({ hubUrl, fetch, webhookId: 'w', retry: { sleep: async () => {} } });
    for await (const { id } of list) ids.push(id);
    expect(ids).toEqual(['2', '4']);
  });

  test('is not waited for once the signal aborts', async () => {
    const giveUp = new AbortController();
    const fetch: Fetch = async () => {
      giveUp.abort(new Error('enough'));
      return Response.json({}, { status: 429, headers: { 'Retry-After': '20' } });
    };
    await expect(getReady({ hubUrl, fetch, signal: giveUp.signal })).rejects.toThrow('enough');
  });
});

test('a sleep ends when its time is over or when the signal aborts', async () => {
  await sleep(1, undefined);
  const stop = new AbortController();
  const sleeping = sleep(60_000, stop.signal);
  stop.abort(new Error('up'));
  await expect(sleeping).rejects.toThrow('up');
  await expect(sleep(0, stop.signal)).rejects.toThrow('up');
});

test.each([
  [{ ratelimit: '"api";r=0;t=55' }, 56_000],
  [{ ratelimit: '"resolvers"; r=0; t=1' }, 2000],
  [{ ratelimit: '"api";r=05;t=55' }, undefined],
  [{ 'retry-after': '-1' }, undefined],
  [{ 'retry-after': '' }, undefined],
])('the headers %j ask for a wait of %s ms', (headers, wait) => {
  expect(requestedWaitMs(new Headers(headers as Record<string, string>), NOW)).toBe(wait);
});
