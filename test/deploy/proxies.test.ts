import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { applyHub } from '@moonbase/client/admin';
import { createDiscussion } from '@moonbase/client/discussions';
import { createRepo } from '@moonbase/client/repositories';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { moonbase } from '../moonbase-process.ts';
import { ADMIN, type LoggedHub, startLoggedHub } from './logged-hub.ts';
import { freePort, makeCertificate, PROXIES, startProxy } from './proxies.ts';

const run = promisify(execFile);
const ALICE = 'hf_aliceOnHerLaptopBehindTheProxyOfTests';
const BIG = 50 * 1024 * 1024;
/** An address of this machine that is not the one of the proxy. */
const ELSEWHERE = '127.0.0.9';

interface Asked extends RequestOptions {
  readonly headers?: Readonly<Record<string, string>>;
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

describe.each(PROXIES)('behind %s', (proxy) => {
  let folder: string;
  let hub: LoggedHub;
  let running: AsyncDisposable;
  let url: string;
  let ca: Buffer;
  let certificate: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'moonbase-proxy-'));
    const made = makeCertificate(folder);
    certificate = made.certificate;
    ca = await readFile(certificate);
    const [port, plainPort] = [await freePort(), await freePort()];
    url = `https://localhost:${port}`;
    hub = await startLoggedHub(folder, { MOONBASE_PUBLIC_URL: url });
    const place = { folder, port, plainPort, hub: new URL(hub.url).host, ...made };
    const isReady = () =>
      open('/ready').then(
        ({ response }) => response.resume().statusCode === 200,
        () => false,
      );
    running = await startProxy(proxy, place, isReady);
    const users = [{ name: 'alice', tokens: [{ name: 'laptop', role: 'write' as const, token: ALICE }] }];
    await applyHub({ hubUrl: hub.url, accessToken: ADMIN, document: { users } });
    await createRepo({ hubUrl: hub.url, accessToken: ALICE, type: 'model', repo: 'alice/toy' });
  });
  afterAll(async () => {
    await running[Symbol.asyncDispose]();
    await hub[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  /** Asks the hub through the proxy; resolves as soon as the headers have come. */
  async function open(path: string, options: Asked = {}): Promise<{ response: IncomingMessage; end: () => void }> {
    const headers = { authorization: `Bearer ${ALICE}`, ...options.headers };
    const asked = request(url + path, { ca, agent: false, ...options, headers }).end();
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    return { response, end: () => void asked.destroy() };
  }
  async function ask(path: string, options: Asked = {}) {
    const { response } = await open(path, options);
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) };
  }
  const command = (...args: string[]) =>
    moonbase(args, { HOME: folder, MOONBASE_URL: url, MOONBASE_TOKEN: ALICE, NODE_EXTRA_CA_CERTS: certificate });

  test('the hub knows clients by their own address, whatever they claim, and names itself by its public one', async () => {
    const forged = {
      'x-forwarded-for': '203.0.113.66',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'http',
    };
    const requestId = `from-${proxy}`;
    const headers = { ...forged, 'x-request-id': requestId };
    const { status, body } = await ask('/api/models/alice/toy', { localAddress: ELSEWHERE, headers });
    expect([status, body.toString()]).toEqual([200, expect.stringContaining('alice/toy')]);
    await expect
      .poll(() => hub.lines().find((line) => line.requestId === requestId))
      .toMatchObject({ address: ELSEWHERE });
    const { body: document } = await ask('/.well-known/openid-configuration', { headers: forged });
    expect(JSON.parse(document.toString())).toMatchObject({ issuer: url });
  });

  test('events arrive while a stream is open', async () => {
    const { response, end } = await open('/api/notifications/stream');
    onTestFinished(end);
    let said = '';
    response.setEncoding('utf8').on('data', (text: string) => (said += text));
    response.on('error', () => {});
    await expect.poll(() => said).toMatch(/^event: /m);
    expect(said).not.toContain('alice/toy');
    const asked = {
      type: 'model' as const,
      repo: 'alice/toy',
      title: 'Licence?',
      description: 'Which one is it, @alice?',
    };
    await createDiscussion({ hubUrl: hub.url, accessToken: ADMIN, ...asked });
    await expect.poll(() => said).toContain('alice/toy');
    expect(response.complete).toBe(false);
  });

  test('a file of 50 MB comes and goes whole, in ranges, and as HEAD tells', async () => {
    const bytes = randomBytes(BIG);
    await writeFile(join(folder, 'big.bin'), bytes);
    expect(await command('upload', 'alice/toy', join(folder, 'big.bin'))).toContain('uploaded 1 file');
    await command('download', 'alice/toy', 'big.bin', '--to', join(folder, 'down'));
    expect(sha256(await readFile(join(folder, 'down/big.bin')))).toBe(sha256(bytes));
    const path = '/alice/toy/resolve/main/big.bin';
    const head = await ask(path, { method: 'HEAD' });
    const address = head.headers.location ?? path;
    const target = new URL(address, url);
    expect(target.origin).toBe(url);
    const told = await ask(target.pathname + target.search, { method: 'HEAD' });
    expect([told.status, told.headers['content-length'], told.body.length]).toEqual([200, String(BIG), 0]);
    const range = await ask(target.pathname + target.search, { headers: { range: 'bytes=1000-1999' } });
    expect([range.status, range.headers['content-range']]).toEqual([206, `bytes 1000-1999/${BIG}`]);
    expect(range.body.equals(bytes.subarray(1000, 2000))).toBe(true);
  });

  test('git pushes and clones', async () => {
    const remote = url.replace('https://', `https://alice:${ALICE}@`);
    const env = { PATH: process.env.PATH, HOME: folder, GIT_SSL_CAINFO: certificate, GIT_TERMINAL_PROMPT: '0' };
    const git = async (where: string, ...args: string[]) =>
      (
        await run('git', ['-c', 'user.name=Alice', '-c', 'user.email=alice@example.com', ...args], {
          cwd: join(folder, where),
          env,
        })
      ).stdout;
    await git('.', 'clone', '--quiet', `${remote}/alice/toy`, 'from');
    // More than git sends at once: the body comes in chunks.
    for (let at = 0; at < 4; at++)
      await writeFile(join(folder, 'from', `${at}.txt`), randomBytes(1_500_000).toString('base64'));
    await git('from', 'add', '.');
    await git('from', 'commit', '--quiet', '--message', 'Texts');
    await git('from', 'push', '--quiet', 'origin', 'main');
    await git('.', 'clone', '--quiet', `${remote}/alice/toy`, 'to');
    expect(await git('to', 'rev-parse', 'HEAD')).toBe(await git('from', 'rev-parse', 'HEAD'));
    expect(await readFile(join(folder, 'to/3.txt'), 'utf8')).toBe(await readFile(join(folder, 'from/3.txt'), 'utf8'));
  });
});
