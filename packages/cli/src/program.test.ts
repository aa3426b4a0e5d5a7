import { describe, expect, test } from 'vitest';
import { run } from './program.ts';

const counts = { created: 1, updated: 0, unchanged: 0, removed: 0 };
const report = { users: counts, newTokens: [{ user: 'ada', name: 'laptop', token: 'hf_new' }] };

/** Runs the command against a hub that answers the same to everything. */
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
  test('sends what standard input says, to the hub and with the token of the environment', async () => {
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

  test('prints the raw answer with --json, wherever it stands', async () => {
    for (const argv of [
      ['--json', 'apply', '-f', '-'],
      ['apply', '-f', '-', '--json'],
    ]) {
      const { out } = await moonbase(argv, { stdin: '{}' });
      expect(JSON.parse(out)).toEqual(report);
    }
  });

  test('ends with 1 and the faults when the hub refuses', async () => {
    const issues = [{ path: 'body.users.0.name', message: 'is taken' }];
    const answer = Response.json({ error: 'body.users.0.name: is taken', issues }, { status: 400 });
    expect(await moonbase(['apply', '-f', '-'], { stdin: '{}', answer })).toMatchObject({
      status: 1,
      out: '',
      err: 'The hub refused it for one fault, nothing was changed:\n  users[0].name: is taken\n',
    });
  });

  test('ends with 2 and asks nothing for a file that is not there', async () => {
    expect(await moonbase(['apply', '-f', '/nowhere/hub.yaml'])).toMatchObject({
      status: 2,
      err: 'Cannot read /nowhere/hub.yaml: there is no such file\n',
      requests: [],
    });
  });

  test('ends with 3 when no hub answers', async () => {
    expect(await moonbase(['apply', '-f', '-'], { stdin: '{}', answer: Response.error() })).toMatchObject({
      status: 3,
      err: expect.stringContaining('No hub answers at http://127.0.0.1:7780 (ECONNREFUSED).'),
    });
  });
});

describe('moonbase', () => {
  test.each([[[]], [['apply']], [['dance']], [['whoami', '--tokn', 'x']], [['whoami', '--url', 'hub']]])(
    '%j is wrong usage: 2',
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

  test('--help is none, and shows no token', async () => {
    const { status, out } = await moonbase(['apply', '--help'], { env: { MOONBASE_TOKEN: 'hf_mine' } });
    expect(status).toBe(0);
    expect(out).toContain('--url');
    expect(out).not.toContain('hf_mine');
  });
});
