import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startWorld, type World } from './world.ts';

const HOOK = 'http://127.0.0.1:9/';

let strict: World;
let lenient: World;
beforeAll(async () => {
  [strict, lenient] = await Promise.all([startWorld(), startWorld({ MOONBASE_LENIENT_WEBHOOKS: 'true' })]);
});
afterAll(() => Promise.all([strict, lenient].map((world) => world[Symbol.asyncDispose]())));

interface Row {
  readonly id: string;
  readonly url: string;
  readonly disabled: boolean | string;
  readonly domains: string[];
  readonly watched: string[];
}
const rows = (world: World) => world.hfJson('bob', 'webhooks', 'ls') as Promise<Row[]>;
const create = async (world: World, ...options: string[]) =>
  (await world.hfJson('bob', 'webhooks', 'create', '--url', HOOK, ...options)) as { id: string };
const remove = (world: World, id: string) => world.hfJson('bob', 'webhooks', 'delete', id, '--yes');

describe('huggingface_hub', () => {
  test('manages webhooks with every option', async () => {
    await strict.python('webhooks');
    await lenient.python('webhooks');
  });

  test('changes single options if the hub is lenient, and learns what is missing if it is strict', async () => {
    await strict.python('webhooks_in_part', { lenient: false });
    await lenient.python('webhooks_in_part', { lenient: true });
  });
});

describe('hf webhooks', () => {
  test('creates, lists, shows, updates, disables, enables and deletes webhooks', async () => {
    const { id } = await create(strict, '--watch', 'model:acme/bert', '--watch', 'org:acme', '--secret', 'hush');
    expect(await rows(strict)).toEqual([
      { id, url: HOOK, disabled: false, domains: ['repo', 'discussion'], watched: ['model:acme/bert', 'org:acme'] },
    ]);
    expect(await strict.hfJson('bob', 'webhooks', 'info', id)).toMatchObject({ id, url: HOOK });

    const change = ['--url', `${HOOK}new`, '--watch', 'user:bob', '--domain', 'discussion'];
    expect(await strict.hfJson('bob', 'webhooks', 'update', id, ...change)).toEqual({ id });
    await strict.hfJson('bob', 'webhooks', 'disable', id);
    const changed = { id, url: `${HOOK}new`, domains: ['discussion'], watched: ['user:bob'] };
    expect(await rows(strict)).toEqual([{ ...changed, disabled: true }]);
    await strict.hfJson('bob', 'webhooks', 'enable', id);
    expect(await rows(strict)).toEqual([{ ...changed, disabled: false }]);

    await remove(strict, id);
    expect(await rows(strict)).toEqual([]);
    const gone = await strict.hf('bob', ['webhooks', 'info', id]);
    expect(gone.status).toBe(1);
  });

  test('updates a single option only on a lenient hub', async () => {
    const { id } = await create(strict, '--watch', 'org:acme', '--domain', 'repo');
    const refused = await strict.hf('bob', ['webhooks', 'update', id, '--url', `${HOOK}new`]);
    expect(refused.status).toBe(1);
    expect(refused.stderr).toMatch(/body\.watched/);
    await remove(strict, id);

    const taken = await create(lenient, '--watch', 'org:acme', '--domain', 'repo');
    await lenient.hfJson('bob', 'webhooks', 'update', taken.id, '--url', `${HOOK}new`);
    await lenient.hfJson('bob', 'webhooks', 'update', taken.id, '--secret', 'hush');
    expect(await rows(lenient)).toMatchObject([{ url: `${HOOK}new`, domains: ['repo'], watched: ['org:acme'] }]);
    await remove(lenient, taken.id);
  });
});

describe('hf webhooks of huggingface_hub 1.x', () => {
  const hf = (world: World, ...args: string[]) => world.hf('bob', ['webhooks', ...args], 'previous');

  test.each([
    ['names no domain', []],
    ['says discussions', ['--domain', 'discussions']],
  ])('%s on create, which works only on a lenient hub', async (_what, options) => {
    const args = ['create', '--url', HOOK, '--watch', 'org:acme', ...options];
    const refused = await hf(strict, ...args);
    expect(refused.status).toBe(1);
    expect(refused.stderr).toMatch(/body\.domains/);
    expect(await rows(strict)).toEqual([]);

    expect(await hf(lenient, ...args)).toMatchObject({ status: 0 });
    const [row, ...more] = await rows(lenient);
    expect(more).toEqual([]);
    expect(row).toMatchObject({ domains: options.length > 0 ? ['discussion'] : ['repo', 'discussion'] });
    expect(await hf(lenient, 'update', row!.id, '--domain', 'repo', '--domain', 'discussions')).toMatchObject({
      status: 0,
    });
    expect(await rows(lenient)).toMatchObject([{ domains: ['repo', 'discussion'], watched: ['org:acme'] }]);
    expect(await hf(lenient, 'delete', row!.id, '--yes')).toMatchObject({ status: 0 });
    expect(await rows(lenient)).toEqual([]);
  });
});
