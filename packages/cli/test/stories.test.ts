import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { prompt } from '../src/terminal/prompt.ts';
import { moonbase, person, type RunningHub, startHub, tokenOf } from './hub.ts';

const ESC = '\x1b';

let hub: RunningHub;
let folder: string;
beforeAll(async () => {
  hub = await startHub();
  folder = await mkdtemp(join(tmpdir(), 'moonbase-stories-'));
  await hub.apply({
    users: [person('ada'), person('bob'), person('eve')],
    organizations: [{ name: 'acme', members: [{ user: 'ada', role: 'admin' }] }],
    repos: [{ name: 'acme/bert' }, { name: 'acme/secret', private: true }],
  });
});
afterAll(async () => {
  await hub[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

describe('a command that fails ends with', () => {
  const cases: [status: number, what: string, as: string, argv: string[], says: RegExp][] = [
    [1, 'a request that the hub refuses', 'ada', ['repos', 'create', 'acme/bert'], /already/i],
    [1, 'a name that is taken', 'admin', ['users', 'create', 'bob'], /^The user bob already exists\.\n$/],
    [1, 'faults', 'ada', ['discussions', 'create', 'acme/bert', '-t', 'x'], /title/],
    [
      1,
      'an unknown permission',
      'ada',
      ['tokens', 'create', 'x', '--role', 'fineGrained', '--permission', 'y'],
      /fineGrained/,
    ],
    [2, 'no command', 'ada', ['webhooks'], /Usage: moonbase webhooks/],
    [2, 'an unknown command', 'ada', ['webhook'], /Did you mean webhooks\?/],
    [2, 'an unknown option', 'ada', ['repos', 'list', '--serach', 'x'], /Did you mean --search\?/],
    [2, 'a missing argument', 'ada', ['members', 'add', 'acme'], /missing required argument 'user'/],
    [2, 'a missing option', 'ada', ['tokens', 'create', 'x'], /required option '--role <value>'/],
    [2, 'an unknown value', 'ada', ['repos', 'list', '--type', 'modle'], /Allowed choices are model, dataset/],
    [2, 'an invalid number', 'ada', ['discussions', 'show', 'acme/bert', 'one'], /It must be a whole number/],
    [2, 'a limit of 0', 'ada', ['repos', 'list', '--limit', '0'], /above 0, or "all"/],
    [2, 'a repository without a namespace', 'ada', ['repos', 'show', 'bert'], /namespace/],
    [2, 'no terminal to confirm at', 'ada', ['repos', 'delete', 'acme/bert'], /add --yes/],
    [2, 'neither ids nor --all', 'ada', ['notifications', 'done'], /Give ids, or --all/],
    [2, 'a missing --watch', 'ada', ['webhooks', 'create', '--target', 'http://a.test'], /--watch is required/],
    [2, 'a malformed --watch', 'ada', ['webhooks', 'create', '--watch', 'acme'], /the form type:name/],
    [2, 'a missing secret', 'ada', ['jobs', 'run', '--secret', 'NOPE', 'node', 'true'], /no variable of this name/],
    [2, 'a status without --all', 'ada', ['papers', 'claims', '--status', 'claim_verified'], /requires --all/],
    [3, 'an action that others may do', 'eve', ['members', 'add', 'acme', 'eve'], /./],
    [3, 'an action for site administrators', 'ada', ['papers', 'claims', '--all'], /./],
    [4, 'a missing repository', 'ada', ['repos', 'show', 'acme/nothing'], /./],
    [4, 'a repository that the user may not see', 'eve', ['repos', 'show', 'acme/secret'], /./],
    [4, 'a missing user', 'admin', ['users', 'delete', 'nobody', '-y'], /There is no user named nobody/],
  ];
  test.each(cases)('%i for %s', async (status, _, as, argv, says) => {
    const outcome = await hub.as(as, argv);
    expect(outcome).toMatchObject({ status, out: '', err: expect.stringMatching(says) });
    // The message shows no internals of the program.
    expect(outcome.err).not.toMatch(/\n {4}at |TypeError|undefined/);
  });

  test('3 without a token, and the message says how to sign in', async () => {
    const { status, err } = await moonbase(['whoami', '--url', hub.hubUrl]);
    expect({ status, err }).toEqual({ status: 3, err: expect.stringContaining('Sign in with `moonbase login`') });
  });

  test('5 if no hub responds, or another server does', async () => {
    const page = createServer((_, response) => response.end('<html>'));
    await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(page.address() as AddressInfo).port}`;
    expect(await moonbase(['whoami', '--url', url])).toMatchObject({
      status: 5,
      err: expect.stringMatching(/is it the address of a hub/),
    });
    page.closeAllConnections();
    page.close();
    await once(page, 'close');
    expect(await moonbase(['whoami', '--url', url])).toMatchObject({
      status: 5,
      err: expect.stringContaining('No hub'),
    });
  });
});

describe('signing in', () => {
  const config = () => ({ XDG_CONFIG_HOME: join(folder, 'config') });
  const file = () => join(folder, 'config/moonbase/credentials.json');
  const signIn = (token: string, ...more: string[]) =>
    moonbase(['login', '--url', hub.hubUrl, ...more], { env: config(), stdin: `${token}\n` });

  test('stores a token that only its owner can read, and the commands use it', async () => {
    expect(await signIn(tokenOf('ada'))).toEqual({ status: 0, out: `Signed in to ${hub.hubUrl} as ada.\n`, err: '' });
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(await moonbase(['whoami'], { env: config() })).toMatchObject({
      status: 0,
      out: expect.stringMatching(/^ada\n/),
    });
  });

  test('restricts a token file that others could read', async () => {
    chmodSync(file(), 0o644);
    await signIn(tokenOf('ada'));
    expect(statSync(file()).mode & 0o777).toBe(0o600);
  });

  test('sends the token to no other hub', async () => {
    const asked: unknown[] = [];
    const fetch = async (_: string, { headers }: RequestInit) => {
      asked.push(headers);
      return Response.json({ error: 'Who?' }, { status: 401 });
    };
    await moonbase(['whoami', '--url', 'https://other.example'], { env: config(), fetch });
    await moonbase(['whoami'], { env: { ...config(), HF_ENDPOINT: 'https://other.example' }, fetch });
    expect(asked).toEqual([{}, {}]);
  });

  test('is overridden by the environment', async () => {
    const { out } = await moonbase(['whoami'], { env: { ...config(), HF_TOKEN: tokenOf('bob') } });
    expect(out).toMatch(/^bob\n/);
  });

  test.each([
    ['a token that the hub does not know', 'hf_ofNobodyAtAll00', 3],
    ['two words', 'hf_a hf_b', 2],
    ['nothing', '', 2],
  ])('keeps the previous token for %s', async (_, token, status) => {
    const before = readFileSync(file(), 'utf8');
    const outcome = await signIn(token);
    expect(outcome).toMatchObject({ status, out: '' });
    if (token) expect(outcome.err).not.toContain(token);
    expect(readFileSync(file(), 'utf8')).toBe(before);
  });

  test('accepts no token as an argument', async () => {
    expect(await signIn('', '--token', tokenOf('ada'))).toMatchObject({
      status: 2,
      err: expect.stringMatching(/unknown option '--token'/),
    });
    expect(await signIn('', tokenOf('ada'))).toMatchObject({
      status: 2,
      err: expect.not.stringContaining(tokenOf('ada')),
    });
  });

  test('out deletes the token', async () => {
    expect(await moonbase(['logout'], { env: config() })).toMatchObject({ status: 0 });
    expect(existsSync(file())).toBe(false);
    expect(await moonbase(['logout', '--url', hub.hubUrl], { env: config() })).toMatchObject({ status: 1 });
  });

  test('says what is wrong with a damaged token file', async () => {
    mkdirSync(join(folder, 'config/moonbase'), { recursive: true });
    writeFileSync(file(), 'hf_half');
    const { status, err } = await moonbase(['whoami'], { env: config() });
    expect({ status, err }).toEqual({ status: 2, err: expect.stringContaining('Remove it and sign in again') });
    expect(err).not.toContain('hf_half');
    await rm(file());
  });

  test('at a terminal prompts without echo', async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const answer = prompt('Access token: ', { secret: true }, { input, output });
    input.write('hf_typedBx\x7fyMe00\r');
    expect(await answer).toBe('hf_typedByMe00');
    expect(String(output.read())).toBe('Access token: \n');
    const left = prompt('Access token: ', { secret: true }, { input, output });
    input.write('hf_half\x03');
    await expect(left).rejects.toThrow('Cancelled: nothing was entered.');
  });
});

describe('at a terminal', () => {
  const list = (around: object) => hub.as('ada', ['repos', 'list', '--org', 'acme'], around);

  test('tables have colours, unless NO_COLOR is set', async () => {
    expect((await list({ isTerminal: true })).out.startsWith(`${ESC}[1mtype`)).toBe(true);
    const plain = (await list({})).out;
    expect(plain).not.toContain(ESC);
    for (const off of [{ NO_COLOR: '1' }, { TERM: 'dumb' }])
      expect((await list({ isTerminal: true, env: off })).out).toBe(plain);
    expect((await hub.as('ada', ['repos', 'list', '--json'], { isTerminal: true })).out).not.toContain(ESC);
  });

  test('irreversible actions ask for confirmation', async () => {
    await hub.as('ada', ['repos', 'create', 'ada/gone']);
    const asked: string[] = [];
    const answering = (answer: string) => ({
      ask: async (question: string) => {
        asked.push(question);
        return answer;
      },
    });
    const remove = (answer: string) => hub.as('ada', ['repos', 'delete', 'ada/gone'], answering(answer));
    expect(await remove('')).toMatchObject({ status: 2, err: 'Cancelled: nothing was changed.\n' });
    expect(await remove('y')).toMatchObject({ status: 0, out: 'Deleted ada/gone.\n' });
    expect(asked[0]).toBe('Delete the model ada/gone permanently? [y/N] ');
  });

  test('control characters in titles are not printed', async () => {
    await hub.as('ada', ['discussions', 'create', 'acme/bert', '-t', 'Clear \x1b[2J the \u202e screen']);
    const { out } = await hub.as('ada', ['discussions', 'list', 'acme/bert']);
    expect(out).toContain('Clear  [2J the   screen');
    expect([out.includes(ESC), out.includes('\u202e')]).toEqual([false, false]);
  });
});

test('lists end after 30 entries with a hint, and --limit shows more', async () => {
  await hub.apply({ repos: Array.from({ length: 40 }, (_, at) => ({ name: `bob/r${at}` })) });
  const list = async (...more: string[]) => {
    const { out, err } = await hub.as('bob', ['repos', 'list', '--json', ...more]);
    return { length: (JSON.parse(out) as unknown[]).length, err };
  };
  expect(await list()).toEqual({ length: 30, err: 'There are more than 30 entries: use --limit to show more.\n' });
  expect(await list('-L', '5')).toEqual({
    length: 5,
    err: 'There are more than 5 entries: use --limit to show more.\n',
  });
  expect(await list('--limit', '40')).toEqual({ length: 40, err: '' });
  expect(await list('--limit', 'all')).toEqual({ length: 40, err: '' });
  expect(await hub.as('eve', ['repos', 'list'])).toEqual({ status: 0, out: '', err: 'There is nothing to list.\n' });
});

test('replaying many deliveries shows progress at a terminal, and --dry-run counts them', async () => {
  const { out } = await hub.as('ada', [
    'webhooks',
    'create',
    '--target',
    `${hub.receiver}/x`,
    '-w',
    'user:ada',
    '--json',
  ]);
  const { webhook } = JSON.parse(out) as { webhook: { id: string } };
  for (let at = 0; at < 3; at++) await hub.as('ada', ['webhooks', 'test', webhook.id]);
  expect((await hub.as('ada', ['webhooks', 'replay', webhook.id, '--dry-run'])).out).toBe(
    '3 deliveries would be sent again.\n',
  );
  const quick = { isErrorTerminal: true, sleep: () => new Promise<void>((resolve) => setTimeout(resolve, 5)) };
  const replay = await hub.as('ada', ['webhooks', 'replay', webhook.id, '--status', 'delivered'], quick);
  expect(replay.out).toMatch(/^3 of 3 deliveries are sent again \(replay [0-9a-f]{24}, done\)\.\n$/);
  expect(replay.err.replaceAll(`\r${ESC}[K`, '|')).toMatch(/^(\|\d of 3 deliveries)+\|$/);
});

test('a receiver that responds with an error makes `webhooks test` fail', async () => {
  const { out } = await hub.as('eve', [
    'webhooks',
    'create',
    '--target',
    `${hub.receiver}/gone`,
    '-w',
    'user:eve',
    '--json',
  ]);
  const { webhook } = JSON.parse(out) as { webhook: { id: string } };
  const tested = await hub.as('eve', ['webhooks', 'test', webhook.id]);
  expect(tested).toEqual({ status: 1, out: 'The receiver answered 410.\n', err: '' });
});

test('a job that fails makes the command fail, and its secrets are not shown', async () => {
  const failing = ['jobs', 'run', '-s', 'KEY', 'node', 'sh', '-c', 'test "$KEY" = hush && exit 3'];
  const { status, err, out } = await hub.as('bob', failing, { env: { KEY: 'hush' } });
  expect({ status, err }).toEqual({
    status: 1,
    err: expect.stringMatching(/^Job bob\/[0-9a-f]+\nThe job ended as ERROR: /),
  });
  expect(out + err).not.toContain('hush');
  const detached = await hub.as('bob', ['jobs', 'run', '-d', 'node', 'sh', '-c', 'sleep 60']);
  expect(detached.out).toMatch(/^bob\/[0-9a-f]{24}\n$/);
  const cancelled = await hub.as('eve', ['jobs', 'cancel', detached.out.trim()]);
  expect(cancelled.status).toBe(3);
  expect((await hub.as('bob', ['jobs', 'cancel', detached.out.trim()])).out).toMatch(/is CANCELED\.$/m);
});

test('notifications are printed as they arrive', async () => {
  const stop = new AbortController();
  const stopping: typeof fetch = (url, init) => fetch(url, { ...init, signal: stop.signal });
  const watching = hub.as('ada', ['notifications', 'watch'], {
    fetch: stopping as never,
    heard: (out) => {
      if (out.includes('Look here')) stop.abort(new TypeError('stopped', { cause: {} }));
      else if (out.endsWith(' unread of 0\n'))
        void hub.as('bob', ['discussions', 'create', 'acme/bert', '-t', 'Look here']);
    },
  });
  expect((await watching).out).toMatch(/^0 unread of 0\n(.*\n)*[\d :-]{16} {2}acme\/bert#\d+ {2}Look here\n/);
});

test('the members of an organization are exported to a file without spreadsheet formulas', async () => {
  await hub.apply({ users: [{ name: 'mallory', fullname: '=HYPERLINK("http://x","y")' }] });
  await hub.as('ada', ['members', 'add', 'acme', 'mallory']);
  const path = join(folder, 'members.csv');
  expect(await hub.as('ada', ['members', 'export', 'acme', '-o', path])).toMatchObject({ status: 0, out: '' });
  expect(readFileSync(path, 'utf8')).toContain(`\r\nmallory,"'=HYPERLINK(""http://x"",""y"")",read,`);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('an invitation by mail is accepted with the secret of its link, which is not passed as an argument', async () => {
  const invited = await hub.as('ada', ['members', 'invite', 'acme', 'eve@example.com', '--role', 'read']);
  const [, id = '', secret = ''] = /#invitation=([0-9a-f]{24})\.([\w-]{43})\n$/.exec(invited.out) ?? [];
  const accept = (stdin = '', ...options: string[]) => hub.as('eve', ['members', 'accept', id, ...options], { stdin });
  expect(await accept()).toMatchObject({ status: 4, out: '' });
  const wrong = 'A'.repeat(43);
  const refused = await accept(`${wrong}\n`, '--secret');
  expect(refused).toMatchObject({ status: 4, out: '', err: expect.not.stringContaining(wrong) });
  expect(await accept(`${secret}\n`, '--secret')).toEqual({ status: 0, out: 'Accepted.\n', err: '' });
  expect((await hub.as('eve', ['orgs', 'list'])).out).toMatch(/^acme +acme +read$/m);
});

describe('the program itself', () => {
  const program = fileURLToPath(new URL('../src/moonbase.ts', import.meta.url));
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  const start = (argv: string[], env: Record<string, string> = {}) =>
    spawn(process.execPath, ['--import', 'tsx', '--conditions=source', program, ...argv], {
      ...{ cwd: root, env: { PATH: process.env.PATH, HOME: folder, ...env } },
      stdio: ['ignore', 'pipe', 'pipe'],
    });

  test('migrates a database, and serves it until interrupted', async () => {
    const dataDir = join(folder, 'data');
    const migrating = start(['migrate', '--data-dir', dataDir, '--json']);
    const [[answer], [status]] = await Promise.all([once(migrating.stdout, 'data'), once(migrating, 'exit')]);
    expect({ status, schema: JSON.parse(String(answer)) as object }).toEqual({
      status: 0,
      schema: { schema: expect.stringMatching(/^\d{4}-/) },
    });
    const serving = start(['serve', '--data-dir', dataDir, '--port', '0']);
    const ended = once(serving, 'close');
    let log = '';
    serving.stderr.on('data', (text: Buffer) => {
      log += text.toString();
    });
    const [said] = (await once(serving.stdout, 'data')) as [Buffer];
    const [, url] = /^Moonbase is listening on (\S+) /.exec(String(said))!;
    expect(await moonbase(['whoami', '--url', url!])).toMatchObject({ status: 3 });
    serving.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    const lines = log
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines).toContainEqual(expect.objectContaining({ level: 'info', msg: 'the hub starts', database: 'sqlite' }));
    expect(lines).toContainEqual(expect.objectContaining({ msg: 'the hub has started', address: url }));
    expect(lines).toContainEqual(expect.objectContaining({ msg: 'request', route: '/api/whoami-v2', status: 401 }));
    expect(lines.at(-2)).toMatchObject({ msg: expect.stringMatching(/^the hub stops/), signal: 'SIGTERM' });
    expect(lines.at(-1)).toMatchObject({ msg: 'the hub has stopped', pid: serving.pid, role: 'all' });
  });

  test('says in one sentence why it cannot serve', async () => {
    const serving = start(['serve', '--port', 'http', '--data-dir', ':memory:']);
    const [[said], [status]] = await Promise.all([once(serving.stderr, 'data'), once(serving, 'exit')]);
    expect({ status, said: String(said) }).toEqual({
      status: 1,
      said: expect.stringMatching(/^The settings are wrong:\n {2}MOONBASE_PORT: must be a whole number/),
    });
  });

  test('completes in bash', async () => {
    const { out } = await moonbase(['completion', 'bash']);
    const complete = async (...words: string[]) => {
      const script = `${out}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _moonbase; printf '%s\\n' "\${COMPREPLY[@]}"`;
      const { stdout } = await promisify(execFile)('bash', ['-c', script, 'bash', 'moonbase', ...words]);
      return stdout.trim().split('\n');
    };
    expect(await complete('we')).toEqual(['webhooks']);
    expect(await complete('jobs', 's')).toEqual(['scheduled']);
    expect(await complete('jobs', 'scheduled', 'su')).toEqual(['suspend']);
    expect(await complete('--json', '--url', 'jobs', 'webhooks', 'lo')).toEqual(['logs']);
    expect(await complete('webhooks', 'logs', '--st')).toEqual(['--status']);
    expect(await complete('webhooks', 'logs', '--status', '')).toEqual([
      'pending',
      'retrying',
      'delivered',
      'failed',
      'throttled',
    ]);
    expect(await complete('webhooks', 'logs', 'logs', '--status', 'f')).toEqual(['failed']);
    expect(await complete('repos', 'list', '--search', '')).toEqual(['']);
    expect(await complete('completion', 'z')).toEqual(['zsh']);
    expect(await complete('whoami', '--j')).toEqual(['--json']);
  });

  test.each([
    [
      'zsh',
      /^#compdef moonbase\n/,
      `'webhooks logs:--status') found=('pending' 'retrying' 'delivered' 'failed' 'throttled') ;;`,
    ],
    [
      'fish',
      /^# Completion of moonbase for fish\./,
      `complete -c moonbase -n '__moonbase_at '\\''webhooks logs'\\''' -l status -x -a 'pending retrying delivered failed throttled'`,
    ],
  ])('has a script for %s', async (shell, head, line) => {
    const { out } = await moonbase(['completion', shell]);
    expect(out).toMatch(head);
    expect(out).toContain(line);
    // The shell only parses the script. It is not installed if it is found nowhere, nor in a folder of the path that is closed.
    const parsed = await promisify(execFile)(shell, ['-n', '-c', out]).then(
      () => 'fine',
      (error: { code?: unknown }) => error.code,
    );
    expect(['fine', 'ENOENT', 'EACCES']).toContain(parsed);
  });
});
