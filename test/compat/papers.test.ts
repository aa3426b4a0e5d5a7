import { applyHub } from '@moonbase/client/admin';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PYTHON_CLIENTS } from './python-clients.ts';
import { startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
  const authors = [{ name: 'Alice L.', user: 'alice' }, { name: 'Somebody Else' }];
  const paper = { id: '2401.01234', title: 'On moons', summary: 'They are round.', authors };
  await applyHub({ ...world.as('admin'), document: { papers: [paper] } });
});
afterAll(() => world[Symbol.asyncDispose]());

test.each(PYTHON_CLIENTS)('huggingface_hub, %s: paper_info returns a paper', (client) =>
  world.python('papers', {}, client),
);

test('hf papers search and ls find papers', async () => {
  expect(await world.hfJson('bob', 'papers', 'search', 'MOONS')).toMatchObject([
    { id: '2401.01234', title: 'On moons' },
  ]);
  expect(await world.hfJson('bob', 'papers', 'search', 'suns')).toEqual([]);
  expect(await world.hfJson('bob', 'papers', 'ls', '--sort', 'trending')).toMatchObject([{ id: '2401.01234' }]);
  expect(await world.hfJson('bob', 'papers', 'ls', '--date', '2020-01-01')).toEqual([]);
});

test('hf papers info shows a paper', async () => {
  expect(await world.hfJson('bob', 'papers', 'info', '2401.01234')).toMatchObject({
    id: '2401.01234',
    title: 'On moons',
  });
  const missing = await world.hf('bob', ['papers', 'info', '2401.99999']);
  expect(missing.status).toBe(1);
  expect(missing.stdout + missing.stderr).toContain("Paper '2401.99999' not found on the Hub");
});
