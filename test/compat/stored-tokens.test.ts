import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { programOf } from './python-clients.ts';
import { startWorld, TOKENS, type World } from './world.ts';

let world: World;
let home: string;
beforeAll(async () => {
  world = await startWorld();
  home = await mkdtemp(join(tmpdir(), 'moonbase-git-'));
  await writeFile(join(home, '.gitconfig'), '[credential]\n\thelper = store\n');
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await rm(home, { recursive: true, force: true });
});

/** Runs `hf auth …` with the tokens stored in its home folder. */
const auth = (...args: readonly string[]) =>
  new Promise<{ ok: boolean; text: string }>((resolve) => {
    const env = { ...world.environment(), HOME: home };
    execFile(programOf('newest', 'hf'), ['auth', ...args], { env }, (error, stdout, stderr) =>
      resolve({ ok: error === null, text: stdout + stderr }),
    );
  });

test('hf auth stores tokens by name, switches, prints and forgets them; the hub knows each', async () => {
  for (const token of [TOKENS.alice, TOKENS.reader]) expect((await auth('login', '--token', token)).ok).toBe(true);
  const { text: listed } = await auth('list');
  for (const name of ['laptop', 'reading room']) expect(listed).toContain(name);
  for (const [name, token] of [
    ['laptop', TOKENS.alice],
    ['reading room', TOKENS.reader],
  ] as const) {
    expect((await auth('switch', '--token-name', name)).ok).toBe(true);
    expect((await auth('token')).text).toContain(token);
    expect((await auth('whoami')).text).toContain('alice');
  }
  expect((await auth('logout', '--token-name', 'reading room')).ok).toBe(true);
  expect((await auth('list')).text).not.toContain('reading room');
  expect((await auth('logout')).ok).toBe(true);
  expect((await auth('whoami')).text).not.toContain('alice');
});

test('git stores the token as the password of hf_user, and the hub accepts it', async () => {
  expect((await auth('login', '--token', TOKENS.alice, '--add-to-git-credential')).ok).toBe(true);
  const kept = await readFile(join(home, '.git-credentials'), 'utf8');
  // The credential store escapes the colon before a port as %3a.
  const [, username, password, host = ''] = /^http:\/\/([^:]+):([^@]+)@(\S+)$/m.exec(kept) ?? [];
  expect([username, password, decodeURIComponent(host)]).toEqual(['hf_user', TOKENS.alice, new URL(world.hubUrl).host]);
  const basic = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const answer = await fetch(`${world.hubUrl}/api/whoami-v2`, { headers: { authorization: basic } });
  expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ name: 'alice' })]);
});
