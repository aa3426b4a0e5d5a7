import { createRepo } from '@moonbase/client/repositories';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

test.each(['newest', 'previous'] as const)(
  'huggingface_hub (%s) keeps variables, secrets and volumes of Spaces, and learns that they do not run',
  (client) => world.python('spaces', {}, client),
);

const DOES_NOT_RUN = 'This hub stores Spaces but does not run them';

test('hf spaces has commands for settings, and says why the others fail', async () => {
  const app = 'bob/hf-app';
  await createRepo({ ...world.as('bob'), type: 'space', sdk: 'gradio', repo: app });
  await createRepo({ ...world.as('bob'), type: 'dataset', repo: 'bob/hf-data' });
  const hf = async (...args: string[]) => {
    const { status, stdout, stderr } = await world.hf('bob', ['spaces', ...args]);
    expect([args, status, status === 0 ? '' : stderr]).toEqual([args, 0, '']);
    return stdout;
  };
  await hf('variables', 'add', app, '-e', 'MODEL=bert', '-e', 'SIZE=2');
  expect(await hf('variables', 'ls', app)).toContain('bert');
  await hf('variables', 'delete', app, 'SIZE', '--yes');
  expect(await hf('variables', 'ls', app)).not.toContain('SIZE');
  await hf('secrets', 'add', app, '-s', 'TOKEN=hush-hush');
  const secrets = await hf('secrets', 'ls', app);
  expect(secrets).toContain('TOKEN');
  expect(secrets).not.toContain('hush-hush');
  await hf('secrets', 'delete', app, 'TOKEN', '--yes');
  await hf('volumes', 'set', app, '-v', 'hf://datasets/bob/hf-data:/data:ro');
  expect(await hf('volumes', 'ls', app)).toContain('bob/hf-data');
  await hf('volumes', 'delete', app, '--yes');
  expect(await hf('info', app)).toContain('PAUSED');
  expect(await hf('pause', app)).toContain('PAUSED');
  expect(await hf('logs', app)).toContain(DOES_NOT_RUN);
  await hf('hardware');
  await hf('templates');
  for (const [args, reason] of [
    [['restart', app], DOES_NOT_RUN],
    [['settings', app, '--sleep-time', '300'], DOES_NOT_RUN],
    [['settings', app, '--hardware', 't4-medium'], DOES_NOT_RUN],
    [['dev-mode', app], DOES_NOT_RUN],
    [['zero-gpu', 'quota'], DOES_NOT_RUN],
    [['wait', app], `Space '${app}' is not running (stage='PAUSED')`],
  ] as const) {
    const { status, stdout, stderr } = await world.hf('bob', ['spaces', ...args]);
    expect([args, status, stdout + stderr]).toEqual([args, 1, expect.stringContaining(reason)]);
  }
});
