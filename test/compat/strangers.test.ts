import { createRepo } from '@moonbase/client/repositories';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { gitClient } from '../../packages/server/test/git-client.ts';
import { PYTHON_CLIENTS } from './python-clients.ts';
import { startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

test.each(PYTHON_CLIENTS)('huggingface_hub, %s, reads what is public without a token', (client) =>
  world.python('strangers', {}, client),
);

test('git clones what is public without a password', async () => {
  await using client = await gitClient();
  await createRepo({ ...world.as('alice'), repo: 'alice/strangers-clone' });
  await client.run('.', 'clone', '--quiet', `${world.hubUrl}/alice/strangers-clone`, 'copy');
  expect(await client.run('copy', 'ls-files')).toBe('.gitattributes');
});
