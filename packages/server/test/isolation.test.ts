import { createRepo } from '@moonbase/client/repositories';
import { createWebhook } from '@moonbase/client/webhooks';
import { expect, onTestFinished, test } from 'vitest';
import type { Outbound, OutboundResult } from '../src/platform/outbound/outbound.ts';
import { startHub } from './harness.ts';

const OK: OutboundResult = { kind: 'answered', status: 200, headers: {}, body: '', durationMs: 1 };
const TIMED_OUT: OutboundResult = { kind: 'failed', error: 'Timed out after 10 s', durationMs: 10_000 };

/** Requests to hosts with `dead` in their name hang until they are released; all others get answers at once. */
function partlyDead() {
  const hanging: (() => void)[] = [];
  let served = 0;
  const outbound: Outbound = {
    post({ url }) {
      if (new URL(url).hostname.startsWith('dead'))
        return new Promise((resolve) => hanging.push(() => resolve(TIMED_OUT)));
      served++;
      return Promise.resolve(OK);
    },
    async [Symbol.asyncDispose]() {},
  };
  return {
    outbound,
    served: () => served,
    hanging: () => hanging.length,
    letGo() {
      for (const end of hanging.splice(0)) end();
    },
  };
}

test('forty hanging receivers do not delay the deliveries of the forty-first', async () => {
  const world = partlyDead();
  await using hub = await startHub({}, { outbound: world.outbound, background: true });
  await hub.people('alice');
  const alice = hub.as('alice');
  const watched = [{ type: 'user' as const, name: 'alice' }];
  for (let at = 0; at < 40; at++)
    await createWebhook({ ...alice, webhook: { url: `http://dead-${at}.example/`, watched, domains: ['repo'] } });
  await createWebhook({ ...alice, webhook: { url: 'http://well.example/', watched, domains: ['repo'] } });
  const events = 8;
  for (let at = 0; at < events; at++) await createRepo({ ...alice, repo: `alice/r${at}` });
  await expect.poll(world.served).toBe(events);
  expect(world.hanging()).toBeGreaterThan(200);
  expect(world.hanging()).toBeLessThanOrEqual(256 + 64);
  // The releases continue until the hub has stopped, since it waits for requests in flight.
  const letGo = setInterval(() => world.letGo(), 1);
  onTestFinished(() => clearInterval(letGo));
});
