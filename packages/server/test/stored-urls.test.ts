import { request } from 'node:http';
import { createDiscussion } from '@moonbase/client/discussions';
import { createRepo } from '@moonbase/client/repositories';
import { createWebhook } from '@moonbase/client/webhooks';
import { expect, test } from 'vitest';
import { startHub, tokenOf } from './harness.ts';
import { startReceiver } from './receiver.ts';

/** Calls the hub under another name, since `fetch` does not let a caller choose the `Host`. */
const askAs = (host: string, url: string, user: string, body: object) =>
  new Promise<number | undefined>((resolve, reject) => {
    const text = JSON.stringify(body);
    const headers = {
      host,
      authorization: `Bearer ${tokenOf(user)}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    };
    request(url, { method: 'POST', headers }, (answer) => answer.resume().on('end', () => resolve(answer.statusCode)))
      .on('error', reject)
      .end(text);
  });

test('the Host header of one caller does not appear in the webhooks of others', async () => {
  await using hub = await startHub({ MOONBASE_TRUSTED_PROXIES: '10.0.0.1', MOONBASE_OUTBOUND_ALLOW: '127.0.0.0/8' });
  await using receiver = await startReceiver();
  await hub.people('alice', 'mallory');
  const alice = hub.as('alice');
  await createRepo({ ...alice, repo: 'alice/bert' });
  const watched = [{ type: 'user' as const, name: 'alice' }];
  await createWebhook({ ...alice, webhook: { url: receiver.url, watched, domains: ['discussion'] } });
  const discussions = `${hub.url}/api/models/alice/bert/discussions`;
  const body = { title: 'Look here', description: 'Please.' };
  expect(await askAs('evil.example', discussions, 'mallory', body)).toBe(200);
  expect(await askAs('a b', discussions, 'mallory', body)).toBe(400);
  await createDiscussion({ ...alice, type: 'model', repo: 'alice/bert', ...body });
  await hub.drain();
  const addresses = receiver.received.map(({ payload }) => payload.discussion?.url.api);
  expect(new Set(addresses)).toEqual(new Set([`${discussions}/1`, `${discussions}/2`]));
  for (const { text } of receiver.received) expect(text).not.toContain('evil.example');
});
