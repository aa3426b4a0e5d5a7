import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import {
  applyHub,
  createRepo,
  getReady,
  HubApiError,
  listNotifications,
  listRepos,
  streamNotifications,
} from '@moonbase/client';
import { createHub } from '@moonbase/server';
import { readConfig } from '@moonbase/server/config';
import { afterAll, beforeAll, expect, test } from 'vitest';

const folder = fileURLToPath(new URL('..', import.meta.url));
const ADMIN = 'hf_administrator';
const ALICE = 'hf_aliceOnHerLaptop';

let hub: Awaited<ReturnType<typeof createHub>>;
let hubUrl: string;

beforeAll(async () => {
  const environment = { MOONBASE_PORT: '0', MOONBASE_DATA_DIR: ':memory:', MOONBASE_LOG_LEVEL: 'error' };
  hub = await createHub(readConfig({ ...environment, MOONBASE_ADMIN_TOKEN: ADMIN }), { background: false });
  await hub.prepare();
  hubUrl = await hub.start();
  const document = {
    users: [{ name: 'alice', tokens: [{ name: 'laptop', role: 'write' as const, token: ALICE }] }],
    organizations: [{ name: 'acme', members: [{ user: 'alice', role: 'admin' as const }] }],
  };
  await applyHub({ hubUrl, accessToken: ADMIN, document });
});
afterAll(() => hub.stop());

test('the example of the README, with the receiver of the examples', async () => {
  const script = fileURLToPath(new URL('../../../examples/receiver.mjs', import.meta.url));
  const receiver = spawn(process.execPath, ['--import', 'tsx', '--conditions=source', script, '0', 'hush'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let port: string | undefined;
  for await (const line of createInterface({ input: receiver.stdout })) {
    port = /127\.0\.0\.1:(\d+)/.exec(line)?.[1];
    if (port !== undefined) break;
  }
  const [, example = '', says = ''] = /```js\n(.*?)```.*?```\n(.*?)```/s.exec(
    readFileSync(`${folder}README.md`, 'utf8'),
  )!;
  const child = spawn(process.execPath, ['--import', 'tsx', '--conditions=source', '--input-type=module'], {
    cwd: folder,
    env: { ...process.env, MOONBASE_TOKEN: ALICE },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(example.replace('http://127.0.0.1:7780', hubUrl).replace('127.0.0.1:4000', `127.0.0.1:${port}`));
  try {
    expect(await text(child.stdout)).toBe(says);
  } finally {
    receiver.kill();
  }
});

test('an error about a certificate that is not trusted says how to trust it', async () => {
  const failing = (reason: string) => () => Promise.reject(new TypeError('fetch failed', { cause: new Error(reason) }));
  const ready = (reason: string) => getReady({ hubUrl: 'https://hub.test', fetch: failing(reason) });
  for (const reason of ['self-signed certificate', 'unable to verify the first certificate'])
    await expect(ready(reason)).rejects.toThrow(
      'fetch failed: name the authority of the certificate by NODE_EXTRA_CA_CERTS',
    );
  await expect(ready('certificate has expired')).rejects.toThrow(/^fetch failed$/);
});

test('lists read all pages of the hub, and end when the loop breaks', async () => {
  const alice = { hubUrl, accessToken: ALICE };
  for (let at = 0; at < 25; at++) await createRepo({ ...alice, repo: `alice/r${at}` });
  const names: string[] = [];
  for await (const { id } of listRepos({ ...alice, pageSize: 10 })) names.push(id);
  expect(new Set(names).size).toBe(25);

  const stop = new AbortController();
  const list = listRepos({ ...alice, pageSize: 10, signal: stop.signal });
  for (let at = 0; at < 10; at++) await list.next();
  stop.abort(new Error('enough'));
  await expect(list.next()).rejects.toThrow('enough');
});

test('a stream ends when its signal aborts', async () => {
  const stop = new AbortController();
  const stream = streamNotifications({ hubUrl, accessToken: ALICE, signal: stop.signal });
  expect(await stream.next()).toMatchObject({ value: { event: 'count', data: { unread: 0 } } });
  stop.abort(new Error('enough'));
  await expect(stream.next()).rejects.toThrow('enough');
});

test('a slow response is aborted by the signal', async () => {
  await expect(getReady({ hubUrl, signal: AbortSignal.abort(new Error('no')) })).rejects.toThrow('no');
});

test('an error has the message of the hub and the request id', async () => {
  const twice = await createRepo({ hubUrl, accessToken: ALICE, repo: 'alice/r0' }).catch((error: unknown) => error);
  expect(twice).toBeInstanceOf(HubApiError);
  expect(twice).toMatchObject({
    status: 409,
    fields: { url: expect.stringContaining('/alice/r0') },
    requestId: expect.stringMatching(/./),
  });
  await expect(listNotifications({ hubUrl }).next()).rejects.toMatchObject({ status: 401 });
});
