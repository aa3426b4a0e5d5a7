import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { createReceiver, type Receiver } from '@moonbase/receiver';
import { serve } from '@moonbase/receiver/node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keptLog, payloadOf, signed } from '../../packages/receiver/test/messages.ts';
import { programOf } from './python-clients.ts';
import { storyFile } from './world.ts';

/** A webhook server, in Python or JavaScript. */
interface Endpoints extends AsyncDisposable {
  readonly url: string;
  /** The error message for a path that is registered twice. */
  readonly twice: string;
  /** The lines that the server printed at its start. */
  readonly said: readonly string[];
}

async function startPython(secret: string | undefined): Promise<Endpoints> {
  const child = spawn(programOf('newest', 'python'), [storyFile('endpoints'), ...(secret ? [secret] : [])], {
    env: { PATH: process.env.PATH ?? '', GRADIO_ANALYTICS_ENABLED: 'False', HF_HUB_DISABLE_EXPERIMENTAL_WARNING: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const said: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith('{"listening"')) {
      said.push(line);
      continue;
    }
    const { listening, twice } = JSON.parse(line) as { listening: string; twice: string };
    return {
      url: listening.replace(/\/$/, ''),
      twice,
      said,
      async [Symbol.asyncDispose]() {
        child.kill('SIGKILL');
        await ended;
      },
    };
  }
  throw new Error('The Python receiver ended before it listened');
}

/** Registers the same endpoints as `python/endpoints.py`. */
function register(receiver: Receiver): string {
  receiver.addWebhook(async function named({ repo, event }) {
    return { repo: repo.name, action: event.action };
  });
  receiver.addWebhook('/in/slashes/', ({ event }) => [event.scope]);
  receiver.addWebhook('nothing', async () => undefined);
  try {
    receiver.addWebhook('/named/', () => undefined);
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}

async function startLibrary(secret: string | undefined): Promise<Endpoints> {
  const log = keptLog();
  const receiver = createReceiver({ secret: secret ?? [], log });
  const twice = register(receiver);
  const serving = await serve(receiver, { port: 0, log });
  return { url: serving.url, twice, said: log.lines, [Symbol.asyncDispose]: () => serving.close() };
}

const PAYLOAD = payloadOf('repo.content.update');
const BODY = JSON.stringify(PAYLOAD);

interface Sent {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

async function ask(endpoints: Endpoints, sent: Sent): Promise<{ status: number; body: unknown }> {
  const { path = '/webhooks/named', method = 'POST', headers = { 'x-webhook-secret': 'hush' }, body = BODY } = sent;
  const response = await fetch(endpoints.url + path, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(method === 'POST' && { body }),
    redirect: 'manual',
  });
  const text = await response.text();
  return { status: response.status, body: text && JSON.parse(text) };
}

describe.each([
  ['with a secret', 'hush'],
  ['without one', undefined],
])('the WebhooksServer of huggingface_hub and the library, %s:', (_, secret) => {
  let python: Endpoints;
  let library: Endpoints;
  beforeAll(async () => {
    [python, library] = await Promise.all([startPython(secret), startLibrary(secret)]);
  });
  afterAll(async () => {
    await python[Symbol.asyncDispose]();
    await library[Symbol.asyncDispose]();
  });

  test.each<[string, Sent]>([
    ['a function by its name', {}],
    ['a path of two parts, registered with slashes around it', { path: '/webhooks/in/slashes' }],
    ['nothing returned', { path: '/webhooks/nothing' }],
    ['no secret', { headers: {} }],
    ['another secret', { headers: { 'x-webhook-secret': 'other' } }],
    ['an empty secret', { headers: { 'x-webhook-secret': '' } }],
    ['a secret that begins with the right one', { headers: { 'x-webhook-secret': 'hush ho' } }],
    ['the secret under another name', { headers: { 'X-Hub-Secret': 'hush' } }],
    ['a signature beside the secret', { headers: { 'x-webhook-secret': 'hush', ...signed(BODY) } }],
    ['a query behind the path', { path: '/webhooks/named?from=hub' }],
    ['an endpoint that nobody registered', { path: '/webhooks/other' }],
    ['the path of the handler with other capitals', { path: '/webhooks/Named' }],
    ['a scope of the future', { path: '/webhooks/named', body: JSON.stringify(payloadOf('repo.secrets.update')) }],
  ])('give the same answer: %s', async (_what, sent) => {
    const answers = await Promise.all([ask(python, sent), ask(library, sent)]);
    expect(answers[1]).toEqual(answers[0]);
  });

  test.each<[string, Sent]>([
    ['a body that is not JSON', { body: '{' }],
    ['a payload without a repository', { body: JSON.stringify({ ...PAYLOAD, repo: undefined }) }],
    ['a payload of another version', { body: JSON.stringify({ ...PAYLOAD, webhook: { id: 'a', version: 2 } }) }],
    ['GET of an endpoint', { method: 'GET' }],
    ['DELETE of an endpoint', { method: 'DELETE' }],
  ])('give the same status with another message: %s', async (_what, sent) => {
    const [theirs, ours] = await Promise.all([ask(python, sent), ask(library, sent)]);
    expect(ours.status).toBe(theirs.status);
  });

  test('refuse a path that is registered twice with the same message', () => {
    expect(library.twice).toBe(python.twice);
  });

  test('print which endpoints exist and how they are secured', () => {
    const told = (endpoints: Endpoints) =>
      endpoints.said
        .filter((line) => /secret is|ready to use|POST /.test(line))
        .map((line) => line.replace(endpoints.url, '').replace(/(not defined).*/, '$1'));
    expect(told(library)).toEqual(told(python));
  });
});
