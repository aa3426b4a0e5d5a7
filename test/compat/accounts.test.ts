import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PYTHON_CLIENTS } from './python-clients.ts';
import { startWorld, TOKENS, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

test.each(PYTHON_CLIENTS)('huggingface_hub, %s: whoami, overviews of users and organizations, members', (client) =>
  world.python('accounts', {}, client),
);

describe('hf auth', () => {
  test('whoami shows the user, their organizations and the hub', async () => {
    expect(await world.hfJson('alice', 'auth', 'whoami')).toEqual({
      user: 'alice',
      orgs: 'acme',
      endpoint: world.hubUrl,
    });
    expect(await world.hfJson('carol', 'auth', 'whoami')).toMatchObject({ user: 'carol' });
  });

  test('login accepts a token of this hub, and refuses another', async () => {
    const login = await world.hf('carol', ['auth', 'login', '--token', TOKENS.bob]);
    expect(login).toMatchObject({ status: 0 });
    const other = await world.hf('carol', ['auth', 'login', '--token', 'hf_ofNobodyAtAll00']);
    expect(other.status).toBe(1);
    expect(other.stdout + other.stderr).toMatch(/Invalid user token/);
  });

  test('asks once a day for the agent harnesses, and accepts an empty list', async () => {
    await world.hfJson('alice', 'auth', 'whoami');
    const kept = await readFile(join(world.environment().HF_HOME, '.agent_harnesses.json'), 'utf8');
    expect(JSON.parse(kept)).toEqual({ standardEnvVars: [], harnesses: {} });
  });
});
