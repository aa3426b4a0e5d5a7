import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deleteAccessToken, listAccessTokens } from '@moonbase/client/access-tokens';
import { applyHub } from '@moonbase/client/admin';
import { createRepo, createTag } from '@moonbase/client/repositories';
import { closeWebhookStream, listWebhookStreams } from '@moonbase/client/webhook-streams';
import { createWebhook, listDeliveries } from '@moonbase/client/webhooks';
import { createHub } from '@moonbase/server';
import { readConfig } from '@moonbase/server/config';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { run } from '../src/program/program.ts';

const ADMIN = 'hf_administrator';
const TOKEN = 'hf_tokenOfAda';

let hub: Awaited<ReturnType<typeof createHub>>;
let hubUrl: string;
let local: Local;
const ada = () => ({ hubUrl, accessToken: TOKEN });

/** The server on the developer's machine. */
interface Local {
  readonly url: string;
  readonly came: { readonly headers: IncomingMessage['headers']; readonly body: string }[];
  /** The response; undefined if it comes later or never. */
  answer: (response: ServerResponse) => void;
  close(): Promise<void>;
}

async function startLocal(): Promise<Local> {
  const came: Local['came'] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      came.push({ headers: request.headers, body });
      opened.answer(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const opened: Local = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/x`,
    came,
    answer: (response) => void response.end(),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return opened;
}

beforeEach(async () => {
  local = await startLocal();
  const environment = { MOONBASE_PORT: '0', MOONBASE_DATA_DIR: ':memory:', MOONBASE_LOG_LEVEL: 'error' };
  hub = await createHub(readConfig({ ...environment, MOONBASE_ADMIN_TOKEN: ADMIN }));
  await hub.prepare();
  hubUrl = await hub.start();
  await applyHub({
    ...{ hubUrl, accessToken: ADMIN },
    document: { users: [{ name: 'ada', tokens: [{ name: 'test', role: 'write', token: TOKEN }] }] },
  });
  await createRepo({ ...ada(), repo: 'ada/bert' });
});
afterEach(async () => {
  await hub.stop();
  await local.close();
});

/** The limit is generous, so that a busy machine does not fail the test. */
const eventually = <T>(read: () => T) => expect.poll(read);

/** Runs the command; `interrupt` is Ctrl-C. */
function moonbase(argv: string[], env: Record<string, string> = {}) {
  let out = '';
  let err = '';
  let interrupt = () => {};
  const ended = run(argv, {
    env: { MOONBASE_URL: hubUrl, HF_TOKEN: TOKEN, ...env },
    stdin: (async function* () {
      yield 'hush\n';
    })(),
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    onInterrupt(listener) {
      interrupt = listener;
      return () => {};
    },
  });
  const text = () => out;
  const events = () =>
    out
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { type: string; [key: string]: unknown });
  return { ended, text, err: () => err, events, interrupt: () => interrupt() };
}

async function listening(...argv: string[]) {
  const command = moonbase(['listen', '--forward-to', local.url, '--json', ...argv]);
  await eventually(() => command.text()).toContain('listening');
  const deliveries = () => command.events().filter(({ type }) => type === 'delivery');
  const types = () => command.events().map(({ type }) => type);
  const streamId = String(command.events()[0]?.streamId);
  return { ...command, deliveries, types, streamId };
}

const tag = (name: string) => createTag({ ...ada(), type: 'model', repo: 'ada/bert', revision: 'main', tag: name });

describe('moonbase listen', () => {
  test('forwards the events of the user’s namespace, prints the results, and leaves nothing behind', async () => {
    const command = moonbase(['listen', '--forward-to', local.url, '--secret']);
    await eventually(() => command.text()).toMatch(/^Listening to user ada; forwarding to http:/);
    await tag('v1');
    await expect
      .poll(() => command.text())
      .toMatch(/\d\d:\d\d:\d\d {2}repo.content\/update {2}model ada\/bert {2}200 {2}\d+ ms/);
    expect(local.came).toHaveLength(1);
    expect(local.came[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Moonbase-Webhooks/1',
      'x-webhook-secret': 'hush',
      'webhook-signature': expect.stringMatching(/^v1,/),
    });
    expect(JSON.parse(local.came[0]?.body ?? '')).toMatchObject({ repo: { name: 'ada/bert' } });
    command.interrupt();
    expect(await command.ended).toBe(0);
    expect(command.text()).toMatch(/Closed\.\n$/);
    expect(command.text() + command.err()).not.toMatch(/hush|hf_/);
    expect(await listWebhookStreams(ada())).toEqual([]);
    await tag('v2');
    await hub.drain();
    expect(local.came).toHaveLength(1);
    expect(await hub.database.read.selectFrom('webhooks').select('id').execute()).toEqual([]);
  });

  test('failures of the URL are printed and not retried', async () => {
    const answers: ((response: ServerResponse) => void)[] = [
      (response) => void response.writeHead(500).end('no'),
      (response) => void response.writeHead(302, { location: '/elsewhere' }).end(),
      () => {},
      (response) => void response.destroy(),
      (response) => void response.end(),
    ];
    local.answer = (response) => answers.shift()?.(response);
    const command = await listening('--timeout', '3', '--watch', 'model:ada/bert');
    for (const name of ['a', 'b', 'c', 'd', 'e']) await tag(name);
    await eventually(() => command.deliveries().length).toBe(5);
    expect(command.deliveries()).toMatchObject([
      { status: 500 },
      { status: 302 },
      { status: 0, error: 'no response within 3 s' },
      { status: 0, error: expect.stringMatching(/\S/) },
      { status: 200, scope: 'repo.content', action: 'update', repo: { type: 'model', name: 'ada/bert' } },
    ]);
    command.interrupt();
    expect(await command.ended).toBe(0);
    expect(local.came).toHaveLength(5);
  });

  test('opens a new stream after the hub has closed the old one', async () => {
    const command = await listening();
    await closeWebhookStream({ ...ada(), streamId: command.streamId });
    await eventually(() => command.types()).toEqual(['listening', 'disconnected', 'expired', 'listening']);
    await tag('v1');
    await eventually(() => command.deliveries().length).toBe(1);
    command.interrupt();
    expect(await command.ended).toBe(0);
  });

  test('exits with 3 when its token is deleted', async () => {
    const command = await listening();
    for await (const { id: tokenId } of listAccessTokens(ada())) await deleteAccessToken({ ...ada(), tokenId });
    await applyHub({
      ...{ hubUrl, accessToken: ADMIN },
      document: { repos: [{ type: 'model', name: 'ada/second' }] },
    });
    expect(await command.ended).toBe(3);
    expect(command.err()).toMatch(/token|credentials/);
    expect(local.came).toEqual([]);
  });

  test.each<[string[], number, string, Record<string, string>?]>([
    [['listen'], 2, '--forward-to'],
    [['listen', '--forward-to', 'localhost:3000'], 2, 'must be a URL'],
    [['listen', '--forward-to', 'http://a:b@localhost/'], 2, 'password'],
    [['listen', '--forward-to', 'http://localhost/', '--watch', 'acme/bert'], 2, 'model:acme/bert'],
    [['listen', '--forward-to', 'http://localhost/', '--timeout', '0'], 2, 'at least 1 second'],
    [['listen', '--forward-to', 'http://localhost/', '--watch', 'tree:ada/oak'], 2, 'model:acme/bert'],
    [['listen', '--forward-to', 'http://localhost/'], 3, 'moonbase login', { HF_TOKEN: 'hf_none' }],
    [['listen', '--forward-to', 'http://localhost/', '--url', 'http://127.0.0.1:9'], 5, 'No hub responds'],
  ])('%j ends with %i', async (argv, status, words, env = {}) => {
    const command = moonbase(argv, env);
    expect(await command.ended).toBe(status);
    expect(command.err()).toContain(words);
    expect(await listWebhookStreams(ada())).toEqual([]);
  });
});

describe('moonbase trigger', () => {
  test('sends a sample to the open stream', async () => {
    const command = await listening('--watch', 'model:ada/other');
    const sent = moonbase(['trigger', 'discussion.comment', 'create', '--repo', 'acme/corpus', '--type', 'dataset']);
    expect(await sent.ended).toBe(0);
    expect(sent.text()).toBe(`Sent to the stream ${command.streamId}.\n`);
    await expect
      .poll(() => command.deliveries())
      .toMatchObject([
        { scope: 'discussion.comment', action: 'create', repo: { type: 'dataset', name: 'acme/corpus' }, test: true },
      ]);
    expect(local.came[0]?.headers).toMatchObject({ 'x-webhook-test': 'true' });
    command.interrupt();
    await command.ended;
  });

  test('without a stream sends a sample to the webhooks that watch the repository, or to the named one', async () => {
    const make = async (name: string, domains: ('repo' | 'discussion')[], url = local.url) =>
      (await createWebhook({ ...ada(), webhook: { url, domains, watched: [{ type: 'model', name }] } })).webhook.id;
    const one = await make('ada/bert', ['repo']);
    await make('ada/bert', ['discussion']);
    const other = await make('ada/other', ['repo'], 'http://127.0.0.1:9/');
    const sent = moonbase(['trigger', 'repo', 'move', '--repo', 'Ada/Bert', '--json']);
    expect(await sent.ended).toBe(0);
    expect(JSON.parse(sent.text())).toEqual([{ webhookId: one, id: expect.any(String), status: 200 }]);
    expect(JSON.parse(local.came[0]?.body ?? '')).toMatchObject({
      event: { scope: 'repo', action: 'move' },
      repo: { name: 'Ada/Bert' },
      movedTo: { name: 'Ada/Bert-moved' },
    });
    const { value } = await listDeliveries({ ...ada(), webhookId: one }).next();
    expect(value).toMatchObject({ test: true, status: 'delivered' });
    const failed = moonbase(['trigger', 'repo.content', 'update', '--webhook', other]);
    expect(await failed.ended).toBe(1);
    expect(failed.text()).toMatch(new RegExp(`^Sent to the webhook ${other}: .*refused`, 'i'));
  });

  test.each([
    [['trigger', 'repo.content', 'update'], 2, '--webhook'],
    [['trigger', 'repo.content', 'update', '--repo', 'ada/bert'], 2, 'no enabled webhook'],
    [['trigger', 'repo.content', 'update', '--webhook', 'f'.repeat(24)], 4, 'no such webhook'],
    [['trigger', 'repo.content', 'burn', '--webhook', 'f'.repeat(24)], 2, 'action'],
    [['trigger', 'repo.content'], 2, 'action'],
  ])('%j ends with %i', async (argv, status, words) => {
    const command = moonbase(argv);
    expect(await command.ended).toBe(status);
    expect(command.err()).toContain(words);
  });
});
