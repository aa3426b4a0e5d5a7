import { askAccess } from '@moonbase/client/gating';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

test.each(['newest', 'previous', 'before-xet'] as const)(
  'huggingface_hub (%s) lists, accepts, rejects and cancels access requests, and grants access',
  (client) => world.python('gating_story', {}, client),
);

test('hf says that access to a gated repository has to be requested, and downloads once it is granted', async () => {
  const created = await world.hf('bob', ['repos', 'create', 'bob/hf-gated']);
  expect([created.status, created.stderr]).toEqual([0, expect.any(String)]);
  const changed = await world.hf('bob', ['repos', 'settings', 'bob/hf-gated', '--gated', 'auto']);
  expect([changed.status, changed.stderr]).toEqual([0, expect.any(String)]);
  const refused = await world.hf('carol', ['download', 'bob/hf-gated', '.gitattributes']);
  expect(refused.status).not.toBe(0);
  expect(refused.stdout + refused.stderr).toMatch(/requires approval|restricted/);
  expect(await world.hfJson('carol', 'models', 'info', 'bob/hf-gated')).toMatchObject({ gated: 'auto' });
  await askAccess({ ...world.as('carol'), repo: 'bob/hf-gated' });
  const downloaded = await world.hf('carol', ['download', 'bob/hf-gated', '.gitattributes']);
  expect([downloaded.status, downloaded.stderr]).toEqual([0, expect.any(String)]);
});
