import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { linkHash, NO_HASH, sealedText } from '@moonbase/server/audit-chain';
import { describe, expect, test } from 'vitest';
import { run } from './program.ts';

const counts = { created: 1, updated: 0, unchanged: 0, removed: 0 };
const report = { users: counts, newTokens: [{ user: 'ada', name: 'laptop', token: 'hf_new' }], warnings: [] };

/** Runs the command against a hub that gives the same response to every request. */
async function moonbase(argv: string[], { answer = Response.json(report), stdin = '', env = {} } = {}) {
  const requests: { url: string; init: RequestInit }[] = [];
  let out = '';
  let err = '';
  const status = await run(argv, {
    env,
    stdin: (async function* () {
      yield stdin;
    })(),
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    fetch: async (url, init) => {
      requests.push({ url, init });
      if (answer.type === 'error') throw new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } });
      return answer;
    },
  });
  return { status, out, err, requests };
}

describe('moonbase apply', () => {
  test('sends standard input to the hub with the token from the environment', async () => {
    const env = { MOONBASE_URL: 'http://hub.test', HF_TOKEN: 'hf_mine' };
    const { status, out, err, requests } = await moonbase(['apply', '-f', '-'], { stdin: 'users: [{name: ada}]', env });
    expect({ status, err }).toEqual({ status: 0, err: '' });
    expect(requests[0]).toMatchObject({
      url: 'http://hub.test/api/admin/hub',
      init: { method: 'PUT', headers: { Authorization: 'Bearer hf_mine' }, body: '{"users":[{"name":"ada"}]}' },
    });
    expect(out).toContain('hf_new');
    expect(out).not.toContain('hf_mine');
  });

  test('prints the raw response with --json, before or after the command', async () => {
    for (const argv of [
      ['--json', 'apply', '-f', '-'],
      ['apply', '-f', '-', '--json'],
    ]) {
      const { out } = await moonbase(argv, { stdin: '{}' });
      expect(JSON.parse(out)).toEqual(report);
    }
  });

  test('exits with 1 and lists the errors if the hub rejects the document', async () => {
    const issues = [{ path: 'body.users.0.name', message: 'is taken' }];
    const answer = Response.json({ error: 'body.users.0.name: is taken', issues }, { status: 400 });
    expect(await moonbase(['apply', '-f', '-'], { stdin: '{}', answer })).toMatchObject({
      status: 1,
      out: '',
      err: 'The hub rejected the request because of one error; nothing was changed:\n  users[0].name: is taken\n',
    });
  });

  test('exits with 2 and sends no request if the file is missing', async () => {
    expect(await moonbase(['apply', '-f', '/nowhere/hub.yaml'])).toMatchObject({
      status: 2,
      err: 'Cannot read /nowhere/hub.yaml: no such file\n',
      requests: [],
    });
  });

  test('exits with 5 if no hub responds', async () => {
    expect(await moonbase(['apply', '-f', '-'], { stdin: '{}', answer: Response.error() })).toMatchObject({
      status: 5,
      err: expect.stringContaining('No hub responds at http://127.0.0.1:7780 (ECONNREFUSED).'),
    });
  });
});

describe('moonbase audit', () => {
  const sealed = {
    _id: '0'.repeat(24),
    createdAt: '2026-01-01T00:00:00.000Z',
    type: 'org.create',
    message: 'Created the organization acme',
    author: { _id: '1'.repeat(24), user: 'ada' },
  };
  const hash = linkHash(NO_HASH, sealedText(sealed));
  const log = JSON.stringify([{ ...sealed, seq: 1, prevHash: NO_HASH, hash }]);
  const file = () =>
    new Response(log, { headers: { 'Content-Disposition': 'attachment; filename="audit-log-acme-2026-01-01.json"' } });

  test('export prints what the hub returns', async () => {
    const { status, out, requests } = await moonbase(['audit', 'export', 'acme', '-q', 'author:ada'], {
      answer: file(),
      env: { MOONBASE_URL: 'http://hub.test' },
    });
    expect({ status, out }).toEqual({ status: 0, out: `${log}\n` });
    expect(requests[0]?.url).toBe('http://hub.test/api/organizations/acme/audit-log/export?q=author%3Aada');
  });

  test('export without an organization prints the log of the hub', async () => {
    const { status, out, requests } = await moonbase(['audit', 'export'], {
      answer: file(),
      env: { MOONBASE_URL: 'http://hub.test' },
    });
    expect({ status, out }).toEqual({ status: 0, out: `${log}\n` });
    expect(requests[0]?.url).toBe('http://hub.test/api/admin/audit-log/export');
  });

  test('export writes a file, and verify reads it without a hub', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'moonbase-cli-'));
    const path = join(folder, 'log.json');
    expect(await moonbase(['audit', 'export', 'acme', '-o', path], { answer: file() })).toMatchObject({
      status: 0,
      out: '',
    });
    expect(readFileSync(path, 'utf8')).toBe(log);
    expect(await moonbase(['audit', 'verify', path, '--head', hash])).toEqual({
      status: 0,
      out: 'Events 1 to 1: nothing was changed.\n',
      err: '',
      requests: [],
    });
    expect(await moonbase(['audit', 'export', 'acme', '-o', folder], { answer: file() })).toMatchObject({ status: 2 });
    rmSync(folder, { recursive: true });
  });

  test('verify exits with 1 and says what is wrong', async () => {
    const changed = await moonbase(['audit', 'verify', '-'], { stdin: log.replace('acme', 'evil') });
    expect(changed).toMatchObject({ status: 1, out: '', err: expect.stringContaining('Event 1 was changed') });
    const cut = await moonbase(['audit', 'verify', '-'], { stdin: log.slice(0, -10) });
    expect(cut).toMatchObject({ status: 1, err: expect.stringContaining('not an export of an audit log') });
    const rewritten = await moonbase(['audit', 'verify', '-', '--head', 'a'.repeat(64)], { stdin: log });
    expect(rewritten).toMatchObject({
      status: 1,
      err: expect.stringContaining('The event with the given hash is missing'),
    });
  });

  test.each([
    [['audit', 'verify', '/nowhere/log.json']],
    [['audit', 'verify', '-', '--head', 'abc']],
    [['audit', 'verify']],
  ])('%j is wrong usage and exits with 2', async (argv) => {
    expect(await moonbase(argv, { stdin: log })).toMatchObject({ status: 2, out: '', requests: [] });
  });

  test('head prints the hash of the last event', async () => {
    const head = { first: { seq: 1, hash }, last: { seq: 1, hash } };
    const plain = await moonbase(['audit', 'head', 'acme'], { answer: Response.json(head) });
    expect(plain).toMatchObject({ status: 0, out: `${hash}\n` });
    const json = await moonbase(['audit', 'head', 'acme', '--json'], { answer: Response.json(head) });
    expect(JSON.parse(json.out)).toEqual(head);
  });
});

describe('moonbase', () => {
  test.each([[[]], [['apply']], [['dance']], [['whoami', '--tokn', 'x']], [['whoami', '--url', 'hub']]])(
    '%j is wrong usage and exits with 2',
    async (argv) => {
      const { status, out, err, requests } = await moonbase(argv);
      expect({ status, out, requests }).toEqual({ status: 2, out: '', requests: [] });
      expect(err).not.toBe('');
    },
  );

  test('does not repeat a token in a mistyped argument', async () => {
    const { status, err } = await moonbase(['whoami', '--tokne=hf_mine']);
    expect(status).toBe(2);
    expect(err).toContain("'--tokne=hf_…'");
  });

  test('every list can be written ls', async () => {
    const { status, out } = await moonbase(['webhooks', 'ls', '--help']);
    expect([status, out.split('\n')[0]]).toEqual([0, 'Usage: moonbase webhooks list|ls [options]']);
    expect((await moonbase(['completion', 'bash'])).out).toContain("'webhooks ls'");
  });

  test('--help exits with 0 and shows no token', async () => {
    const { status, out } = await moonbase(['apply', '--help'], { env: { MOONBASE_TOKEN: 'hf_mine' } });
    expect(status).toBe(0);
    expect(out).toContain('--url');
    expect(out).not.toContain('hf_mine');
  });
});
