import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { DEBIAN_ENVIRONMENT, fromDebian } from './debian.ts';
import { ADMIN, linesIn, startLoggedHub } from './logged-hub.ts';
import { DEPLOY } from './tools.ts';

const run = promisify(execFile);
const env = DEBIAN_ENVIRONMENT;
/** Debian's packages are for this version of Python. */
const PYTHON = '/usr/bin/python3';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'moonbase-logs-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('fail2ban bans addresses that try passwords and tokens, and no others', async () => {
  await using hub = await startLoggedHub(folder);
  const [passwords, tokens, good, clumsy] = ['203.0.113.9', '2001:db8::10', '203.0.113.11', '203.0.113.12'] as const;
  const from = (address: string, headers: Readonly<Record<string, string>> = {}) => ({
    headers: { 'x-forwarded-for': address, ...headers },
  });
  const whoAmI = (address: string, token: string) =>
    fetch(`${hub.url}/api/whoami-v2`, from(address, { authorization: `Bearer ${token}` }));
  const signIn = (address: string) =>
    fetch(`${hub.url}/api/sign-in`, {
      ...from(address, { 'content-type': 'application/json', origin: new URL(hub.url).origin }),
      method: 'POST',
      body: JSON.stringify({ name: '{"address":"203.0.113.11"', password: 'not the right one' }),
    });
  for (let at = 0; at < 10; at++) {
    expect((await signIn(passwords)).status).toBeGreaterThanOrEqual(400);
    expect((await whoAmI(tokens, `hf_nobodyHasThisTokenNumber${at}`)).status).toBe(401);
    expect((await whoAmI(good, ADMIN)).status).toBe(200);
    expect((await fetch(`${hub.url}/api/whoami-v2`, from(good))).status).toBe(401);
  }
  for (let at = 0; at < 9; at++) expect((await whoAmI(clumsy, 'hf_aTokenThatHasBeenDeletedBefore')).status).toBe(401);

  const conf = join(folder, 'fail2ban');
  cpSync(fromDebian('etc/fail2ban'), conf, { recursive: true });
  // The jail of Debian reads a log of this machine.
  rmSync(join(conf, 'jail.d/defaults-debian.conf'));
  for (const part of ['filter.d', 'jail.d'])
    cpSync(join(DEPLOY, 'fail2ban', part), join(conf, part), { recursive: true });
  const [socket, banned] = [join(folder, 'fail2ban.sock'), join(folder, 'banned')];
  writeFileSync(join(conf, 'action.d/noted.conf'), `[Definition]\nactionban = echo <ip> >> ${banned}\n`);
  writeFileSync(
    join(conf, 'jail.d/moonbase.local'),
    `[moonbase]\nbackend = polling\njournalmatch =\nlogpath = ${hub.log}\naction = noted\n`,
  );
  writeFileSync(
    join(conf, 'fail2ban.local'),
    `[Definition]\ndbfile = None\nlogtarget = ${folder}/fail2ban.log\nsocket = ${socket}\npidfile = ${folder}/fail2ban.pid\n`,
  );
  const { stdout: found } = await run(
    PYTHON,
    [fromDebian('usr/bin/fail2ban-regex'), '--out', 'ip', hub.log, join(conf, 'filter.d/moonbase.conf')],
    { env },
  );
  const times = (address: string) => found.split('\n').filter((line) => line === address).length;
  expect([passwords, tokens, clumsy, good].map(times)).toEqual([10, 10, 9, 0]);

  const server = spawn(PYTHON, [fromDebian('usr/bin/fail2ban-server'), '-c', conf, '-f', 'start'], {
    env,
    stdio: 'ignore',
  });
  const ended = once(server, 'exit');
  onTestFinished(async () => {
    server.kill();
    await ended;
  });
  const bannedNow = () => {
    if (server.exitCode !== null) throw new Error(readFileSync(join(folder, 'fail2ban.log'), 'utf8'));
    return readdirSync(folder).includes('banned') ? readFileSync(banned, 'utf8').trim().split('\n').sort() : [];
  };
  await expect.poll(bannedNow).toEqual([tokens, passwords].sort());
  const client = [fromDebian('usr/bin/fail2ban-client'), '-c', conf, 'status', 'moonbase'];
  const { stdout: status } = await run(PYTHON, client, { env });
  expect(status).toMatch(/Currently banned:\s*2\n/);
});

test('logrotate cuts the log of a running hub, which goes on: only lines of the moment of the cut may be lost', async () => {
  await using hub = await startLoggedHub(folder);
  const file = join(folder, 'logrotate.conf');
  const example = readFileSync(join(DEPLOY, 'logrotate/moonbase'), 'utf8');
  expect(example).toContain('/var/log/moonbase/*.log {');
  writeFileSync(file, example.replace('/var/log/moonbase/*.log', hub.log));
  const rotate = () =>
    run(fromDebian('usr/sbin/logrotate'), ['--force', '--state', join(folder, 'state'), file], { env });
  const ask = async (id: string) => {
    const answer = await fetch(`${hub.url}/api/models`, {
      headers: { 'x-request-id': id, authorization: `Bearer ${ADMIN}` },
    });
    expect(answer.status).toBe(200);
  };
  const askMany = async (prefix: string, count: number) => {
    for (let at = 0; at < count; at++) await ask(`${prefix}-${at}`);
  };
  const written = () => {
    const old = `${hub.log}.1`;
    const lines = [
      ...(readdirSync(folder).includes('moonbase.log.1') ? linesIn(readFileSync(old, 'utf8')) : []),
      ...hub.lines(),
    ];
    return new Set(lines.map(({ requestId }) => requestId));
  };
  const has = (prefix: string) => [...written()].filter((id) => String(id).startsWith(prefix)).length;

  await askMany('quiet', 50);
  await expect.poll(() => has('quiet')).toBe(50);
  await rotate();
  expect(readFileSync(hub.log, 'utf8')).toBe('');
  await askMany('after', 50);
  await expect.poll(() => has('after')).toBe(50);
  expect(has('quiet')).toBe(50);

  // Under load, the second rotation compresses what the first one set aside, and each line of what is left is whole.
  let count = 0;
  let going = true;
  const load = async () => {
    while (going) await ask(`busy-${count++}`);
  };
  const asking = Promise.all([load(), load()]);
  while (count < 100) await ask(`before-${count++}`);
  await rotate();
  while (count < 300) await ask(`between-${count++}`);
  going = false;
  await asking;
  await ask('last');
  await expect.poll(() => has('last')).toBe(1);
  const kept = has('busy') + has('before') + has('between');
  console.log(`logrotate under load: ${count} requests, ${count - kept} lines lost`);
  expect(count - kept).toBeLessThan(count / 10);
  expect(
    readdirSync(folder)
      .filter((name) => name.startsWith('moonbase.log'))
      .sort(),
  ).toEqual(['moonbase.log', 'moonbase.log.1', 'moonbase.log.2.gz']);
});
