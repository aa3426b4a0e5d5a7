import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { payloadOf, signed } from '../../packages/receiver/test/messages.ts';

const example = (name: string) => fileURLToPath(new URL(`../../examples/${name}.mjs`, import.meta.url));

/** Starts an example in a process of its own; `lines` is its output after the line with its address. */
async function start(name: string, args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, ['--import', 'tsx', '--conditions=source', example(name), ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (wanted: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      const { value, done } = await lines.next();
      if (done) throw new Error(`${name}.mjs ended before it said ${wanted}`);
      const found = wanted.exec(value as string);
      if (found) return found;
    }
  };
  const url = (await next(/http:\/\/127\.0\.0\.1:\d+/))[0];
  return {
    next,
    url,
    async deliver(path: string, payload: object, headers?: Record<string, string>) {
      const body = JSON.stringify(payload);
      const response = await fetch(url + path, { method: 'POST', headers: headers ?? signed(body), body });
      return { status: response.status, body: (await response.json()) as unknown };
    },
    async [Symbol.asyncDispose]() {
      child.kill();
      await ended;
    },
  };
}

const SECRET = { WEBHOOK_SECRET: 'hush' };
const commit = (digit: string) => digit.repeat(40);

test('receiver.mjs prints each delivery', async () => {
  await using receiver = await start('receiver', ['0', 'hush']);
  expect(await receiver.deliver('/webhooks', payloadOf('discussion.create'))).toMatchObject({ status: 200 });
  const [line] = await receiver.next(/^discussion\/create.*/);
  expect(line).toBe('discussion/create  model acme/bert  #1 Licence?: Which one is it?');
  expect((await receiver.deliver('/webhooks', payloadOf('repo.update'), {})).status).toBe(401);
});

test('express.mjs keeps the newest commits beside its own routes', async () => {
  await using app = await start('express', ['0'], SECRET);
  expect(await app.deliver('/webhooks/commits', payloadOf('repo.content.update'))).toEqual({
    status: 200,
    body: { known: 1 },
  });
  expect(await (await fetch(`${app.url}/commits`)).json()).toEqual({ 'acme/bert': commit('c') });
});

test('worker.mjs summarizes events with Web interfaces', async () => {
  const { default: worker } = (await import(example('worker'))) as {
    default: { fetch(request: Request, env: object, context: object): Promise<Response> };
  };
  const ask = async (event: string, secret: string) => {
    const headers = { 'x-webhook-secret': secret };
    const init = { method: 'POST', headers, body: JSON.stringify(payloadOf(event)) };
    const answer = await worker.fetch(new Request('https://worker.example/webhooks/summary', init), SECRET, {});
    return [answer.status, await answer.json()];
  };
  expect(await ask('repo.content.update', 'hush')).toEqual([200, { refs: ['refs/heads/main'] }]);
  expect(await ask('discussion.create', 'hush')).toEqual([200, { discussion: 'Licence?' }]);
  expect((await ask('repo.update', 'other'))[0]).toBe(403);
});

test('slack-notifier.mjs posts to Slack, and retries when Slack was unavailable', async () => {
  const posted: unknown[] = [];
  let status = 500;
  const slack = createServer((request, response) => {
    request.setEncoding('utf8').on('data', (text: string) => posted.push(JSON.parse(text)));
    request.on('end', () => response.writeHead(status).end('ok'));
  });
  await new Promise<void>((resolve) => slack.listen(0, '127.0.0.1', resolve));
  const { port } = slack.address() as AddressInfo;
  await using notifier = await start('slack-notifier', ['0'], {
    ...SECRET,
    SLACK_WEBHOOK_URL: `http://127.0.0.1:${port}/hook`,
  });
  try {
    expect((await notifier.deliver('/webhooks', payloadOf('discussion.create'))).status).toBe(500);
    status = 200;
    expect((await notifier.deliver('/webhooks', payloadOf('discussion.create'))).status).toBe(200);
    const comment = payloadOf('discussion.comment.create');
    const body = { ...comment, comment: { ...(comment.comment as object), content: 'a < b' } };
    await notifier.deliver('/webhooks', body, signed(JSON.stringify(body), { id: 'msg_2' }));
    const opened = 'New discussion in acme/bert: <https://hub.example/acme/bert/discussions/1|Licence?>';
    expect(posted).toEqual([
      { text: opened },
      { text: opened },
      { text: '<https://hub.example/acme/bert/discussions/1#f|Licence?>: a &lt; b' },
    ]);
  } finally {
    slack.closeAllConnections();
    slack.close();
  }
});

test('slack-notifier.mjs says what it misses', async () => {
  const child = spawn(process.execPath, ['--import', 'tsx', '--conditions=source', example('slack-notifier'), '0'], {
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [said, [status]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect(said.match(/^Set [A-Z_]+ to /gm)).toEqual(['Set SLACK_WEBHOOK_URL to ', 'Set WEBHOOK_SECRET to ']);
  expect(status).toBe(2);
});

test('auto-retrain.mjs trains when main changes, and once more after the last change', async () => {
  const command = 'console.log("trained on", process.env.DATASET, process.env.REVISION)';
  await using trainer = await start('auto-retrain', ['0', process.execPath, '-e', command], SECRET);
  const change = (id: string, type: string, ref: string, digit: string) => {
    const payload = payloadOf('repo.content.update', { updatedRefs: [{ ref, oldSha: null, newSha: commit(digit) }] });
    const sent = { ...payload, repo: { ...(payload.repo as object), type, name: 'acme/letters' } };
    return trainer.deliver('/webhooks/retrain', sent, signed(JSON.stringify(sent), { id }));
  };
  expect((await change('1', 'model', 'refs/heads/main', '1')).body).toEqual({ training: false });
  expect((await change('2', 'dataset', 'refs/heads/dev', '2')).body).toEqual({ training: false });
  expect((await change('3', 'dataset', 'refs/heads/main', '3')).body).toEqual({ training: true });
  await change('4', 'dataset', 'refs/heads/main', '4');
  await change('5', 'dataset', 'refs/heads/main', '5');
  await trainer.next(new RegExp(`trained on acme/letters ${commit('3')}`));
  await trainer.next(new RegExp(`trained on acme/letters ${commit('5')}`));
});
