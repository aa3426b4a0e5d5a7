import { createRepo } from '@moonbase/client/repositories';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PYTHON_CLIENTS } from './python-clients.ts';
import { startWorld, type World } from './world.ts';

/** More repositories than fit on a page. */
const MANY = 120;

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

describe.each(PYTHON_CLIENTS)('huggingface_hub, %s,', (client) => {
  test('creates, finds, checks, changes, moves and deletes repositories', () =>
    world.python('repositories', {}, client));

  test('creates, lists and deletes branches and tags', () => world.python('refs', {}, client));
});

describe('hf repos', () => {
  const hf = (...args: string[]) => world.hfJson('alice', 'repos', ...args);

  test('creates, lists, changes, moves and deletes repositories', async () => {
    expect(await hf('create', 'alice/cards', '--type', 'dataset', '--private')).toEqual({
      repo_id: 'alice/cards',
      url: `${world.hubUrl}/datasets/alice/cards`,
    });
    expect(await hf('create', 'cards', '--type', 'dataset', '--exist-ok')).toMatchObject({ repo_id: 'alice/cards' });
    await hf('settings', 'alice/cards', '--type', 'dataset', '--public');
    expect(await hf('ls')).toMatchObject([{ id: 'alice/cards', type: 'dataset', visibility: 'public' }]);
    await hf('move', 'alice/cards', 'acme/cards', '--type', 'dataset');
    expect(await hf('ls')).toEqual([]);
    expect(await hf('ls', '--namespace', 'acme', '--search', 'card')).toMatchObject([{ id: 'acme/cards' }]);
    await hf('delete', 'acme/cards', '--type', 'dataset', '--yes');
    await hf('delete', 'acme/cards', '--type', 'dataset', '--yes', '--missing-ok');
    const gone = await world.hf('alice', ['repos', 'delete', 'acme/cards', '--type', 'dataset', '--yes']);
    expect(gone.status).toBe(1);
    expect(gone.stderr).toMatch(/not found/i);
  });

  test('creates, lists and deletes branches and tags', async () => {
    await hf('create', 'acme/cli');
    await hf('branch', 'create', 'acme/cli', 'dev');
    await hf('tag', 'create', 'acme/cli', 'v1', '--revision', 'dev', '--message', 'The first');
    expect(await hf('tag', 'list', 'acme/cli')).toMatchObject([{ name: 'v1', ref: 'refs/tags/v1' }]);
    const twice = await world.hf('alice', ['repos', 'tag', 'create', 'acme/cli', 'v1']);
    expect(twice).toMatchObject({ status: 1, stderr: expect.stringContaining("Tag 'v1' already exists") });
    await hf('tag', 'delete', 'acme/cli', 'v1', '--yes');
    await hf('branch', 'delete', 'acme/cli', 'dev');
    expect(await hf('tag', 'list', 'acme/cli')).toEqual([]);
    expect(await world.hfJson('carol', 'models', 'info', 'acme/cli')).toMatchObject({ id: 'acme/cli', private: false });
    await hf('delete', 'acme/cli', '--yes');
  });
});

test('huggingface_hub follows the pages of a list of repositories', async () => {
  const repos = Array.from({ length: MANY }, (_, at) => `bob/many-${at}`);
  for (const repo of repos) await createRepo({ ...world.as('bob'), type: 'model', repo });
  await world.python('repository_pages', { repos });
});
