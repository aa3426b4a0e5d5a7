import { applyHub } from '@moonbase/client/admin';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWorld, TOKENS, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
  const organizations = [{ name: 'acme', plan: 'plus' as const }];
  await applyHub({ ...world.as('admin'), document: { organizations } });
});
afterAll(() => world[Symbol.asyncDispose]());

test('scim2-tester finds no fault', async () => {
  const given = { path: '/api/organizations/acme/scim/v2', token: TOKENS.alice, checks: 15 };
  await world.python('scim_tester', given, 'scim');
});

test('scim2-tester does find a fault', async () => {
  const given = { path: '/api/organizations/acme/scim/v2', token: TOKENS.bob, checks: 15 };
  await expect(world.python('scim_tester', given, 'scim')).rejects.toThrow('scim_tester.py');
});
