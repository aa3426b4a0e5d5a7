import { whoAmI } from '@moonbase/client/profiles';
import { createRepo, deleteRepo, getRepo, moveRepo, updateRepoSettings } from '@moonbase/client/repositories';
import { listWatched, updateWatched } from '@moonbase/client/watching';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { ask } from './ask.ts';
import { SECOND } from './clock.ts';
import { collect, person, startHub, type TestHub } from './harness.ts';

const MODEL = { type: 'model' as const, repo: 'alice/letters' };
const NOBODY = '0'.repeat(24);

let hub: TestHub;
beforeEach(async () => {
  hub = await startHub();
  onTestFinished(() => hub[Symbol.asyncDispose]());
  await hub.people('alice', 'bob', 'zoe');
  await hub.apply({ organizations: [{ name: 'acme', members: [{ user: 'alice', role: 'admin' }] }] });
  await createRepo({ ...hub.as('alice'), repo: 'alice/letters' });
  await createRepo({ ...hub.as('alice'), type: 'dataset', repo: 'alice/letters' });
  await createRepo({ ...hub.as('alice'), repo: 'acme/secret', private: true });
});

type Item = { id: string; type: 'user' | 'org' | 'repo' };
const watch = (user: string, ...add: Item[]) => updateWatched({ ...hub.as(user), add });
const unwatch = (user: string, ...items: Item[]) => updateWatched({ ...hub.as(user), delete: items });
const user = (id: string): Item => ({ id, type: 'user' });
const org = (id: string): Item => ({ id, type: 'org' });
const repo = (id: string): Item => ({ id, type: 'repo' });

const listed = (name: string) => collect(listWatched(hub.as(name)));
/** Returns what a user watches, as in `user bob` or `model acme/bert`, newest first. */
const watchedBy = async (name: string) =>
  (await listed(name)).map((item) => `${item.repo?.type ?? item.type} ${item.name}`);

const userId = async (name: string) => (await whoAmI(hub.as(name))).id;
const acmeId = async () => (await whoAmI(hub.as('alice'))).orgs[0]?.id ?? '';
async function repoId(name: string): Promise<string> {
  const info = await getRepo({ ...hub.as('alice'), type: 'model', repo: name });
  return '_id' in info ? info._id : '';
}

describe('watching', () => {
  test('accepts users, organizations and repositories by name, and lists them newest first', async () => {
    expect(await watch('bob', user('Alice'))).toEqual({ success: true });
    hub.clock.advance(SECOND);
    await watch('bob', org('ACME'));
    hub.clock.advance(SECOND);
    await watch('bob', repo('alice/letters'));
    hub.clock.advance(SECOND);
    await watch('bob', repo('datasets/Alice/Letters'));
    const picture = `${hub.url}/avatars/${await userId('alice')}.svg`;
    const letters = { type: 'repo', name: 'alice/letters', avatarUrl: picture };
    expect(await listed('bob')).toEqual([
      { ...letters, id: expect.any(String), repo: { type: 'dataset', name: 'alice/letters' } },
      { ...letters, id: await repoId('alice/letters'), repo: { type: 'model', name: 'alice/letters' } },
      { id: await acmeId(), type: 'org', name: 'acme', avatarUrl: `${hub.url}/avatars/${await acmeId()}.svg` },
      { id: await userId('alice'), type: 'user', name: 'alice', avatarUrl: picture },
    ]);
  });

  test('accepts object ids in upper and lower case', async () => {
    const ids = [user(await userId('alice')), org(await acmeId()), repo(await repoId('alice/letters'))];
    await watch('bob', ...ids.map((item) => ({ ...item, id: item.id.toUpperCase() })));
    expect((await watchedBy('bob')).sort()).toEqual(['model alice/letters', 'org acme', 'user alice']);
  });

  test.each([
    ['alice/letters', 'model'],
    ['model/alice/letters', 'model'],
    ['models/ALICE/Letters', 'model'],
    ['dataset/alice/letters', 'dataset'],
  ])('recognizes %s as a %s', async (id, type) => {
    await watch('bob', repo(id));
    expect(await watchedBy('bob')).toEqual([`${type} alice/letters`]);
  });

  test('lists a target once, however often it is added', async () => {
    await watch('bob', user('alice'), user('ALICE'), user(await userId('alice')));
    hub.clock.advance(SECOND);
    await watch('bob', user('alice'));
    expect(await watchedBy('bob')).toEqual(['user alice']);
  });

  test('accepts the user itself, and repositories that only members see', async () => {
    await hub.drain();
    await watch('alice', user('alice'), repo('acme/secret'));
    expect((await watchedBy('alice')).sort()).toEqual(['model acme/secret', 'org acme', 'user alice']);
  });

  test.each<[string, Item | (() => Promise<Item>)]>([
    ['an unknown name', user('nobody')],
    ['no name', user('')],
    ['an id that does not exist', user(NOBODY)],
    ['an organization as a user', user('acme')],
    ['a user as an organization', org('alice')],
    ['an organization as a user, by id', async () => user(await acmeId())],
    ['a user as a repository, by id', async () => repo(await userId('alice'))],
    ['a repository as an organization, by id', async () => org(await repoId('alice/letters'))],
    ['a repository of another type', repo('space/alice/letters')],
    ['a repository by a type in capitals', repo('MODEL/alice/letters')],
    ['a repository by half a name', repo('letters')],
    ['a repository by too long a name', repo('model/alice/letters/main')],
    ['a repository that is private, by name', repo('acme/secret')],
    ['a repository that is private, by id', async () => repo(await repoId('acme/secret'))],
    ['a name with characters that names cannot have', repo("alice/letters' or 1=1 --")],
  ])('refuses %s, and then nothing changes', async (_, item) => {
    await watch('bob', user('zoe'));
    const add = [org('acme'), typeof item === 'function' ? await item() : item];
    await expect(updateWatched({ ...hub.as('bob'), add, delete: [user('zoe')] })).rejects.toMatchObject({
      status: 404,
      message: 'There is nothing that you may see behind body.add.1; nothing changed',
    });
    expect(await watchedBy('bob')).toEqual(['user zoe']);
  });

  test('does not reveal whether a private target exists', async () => {
    const answer = async (id: string) => {
      const refused = await ask(hub.as('bob'), 'PATCH /api/settings/watch', { add: [repo(id)] });
      return [refused.status, await refused.text()];
    };
    expect(await answer('acme/secret')).toEqual(await answer('acme/nothing'));
    expect(await answer(await repoId('acme/secret'))).toEqual(await answer(NOBODY));
  });

  const item = { id: 'alice', type: 'user' };
  test.each<[string, unknown, string]>([
    ['a type that cannot be watched', { add: [{ ...item, type: 'model' }] }, 'body.add.0.type'],
    ['an item without a type', { add: [{ id: 'alice' }] }, 'body.add.0.type'],
    ['an item without an id', { delete: [{ type: 'user' }] }, 'body.delete.0.id'],
    ['an id that is a number', { add: [{ ...item, id: 7 }] }, 'body.add.0.id'],
    ['null for a list', { add: null }, 'body.add'],
    ['an object for a list', { delete: {} }, 'body.delete'],
    ['a name for an item', { add: ['alice'] }, 'body.add.0'],
    ['more than 1,000 to add', { add: Array.from({ length: 1001 }, () => item) }, 'body.add'],
    ['more than 1,000 to delete', { delete: Array.from({ length: 1001 }, () => item) }, 'body.delete'],
  ])('refuses %s', async (_, body, path) => {
    const answer = await ask(hub.as('bob'), 'PATCH /api/settings/watch', body);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ issues: [{ path, message: expect.any(String) }] });
    expect(await watchedBy('bob')).toEqual([]);
  });

  test('accepts 1,000 items in each list, no items, and no body', async () => {
    await watch('bob', ...Array.from({ length: 1000 }, () => user('alice')));
    expect(await watchedBy('bob')).toEqual(['user alice']);
    for (const body of [{}, { add: [], delete: [] }, { unknown: 1 }, undefined])
      expect((await ask(hub.as('bob'), 'PATCH /api/settings/watch', body)).status).toBe(200);
    expect(await watchedBy('bob')).toEqual(['user alice']);
    await unwatch('bob', ...Array.from({ length: 1000 }, () => user('alice')));
    expect(await watchedBy('bob')).toEqual([]);
  });

  test('follows renames and loses deleted targets', async () => {
    await watch('bob', user('zoe'), repo('alice/letters'), repo('dataset/alice/letters'));
    await moveRepo({ ...hub.as('alice'), ...MODEL, from: 'alice/letters', to: 'acme/mail' });
    await deleteRepo({ ...hub.as('alice'), type: 'dataset', repo: 'alice/letters' });
    await hub.drain();
    expect((await watchedBy('bob')).sort()).toEqual(['model acme/mail', 'user zoe']);
    await hub.apply({ users: [{ name: 'zoe', state: 'absent' }] });
    expect(await watchedBy('bob')).toEqual(['model acme/mail']);
  });

  test('is paged and refuses foreign cursors', async () => {
    await hub.people(...Array.from({ length: 12 }, (_, at) => `person-${at}`));
    await watch('bob', ...Array.from({ length: 12 }, (_, at) => user(`person-${at}`)));
    hub.clock.advance(SECOND);
    await watch('bob', user('alice'));
    const paged = (await collect(listWatched({ ...hub.as('bob'), pageSize: 10 }))).map(({ name }) => name);
    expect(paged).toHaveLength(13);
    expect(paged).toEqual((await listed('bob')).map(({ name }) => name));
    expect(paged[0]).toBe('alice');
    for (const query of ['cursor=x', `cursor=${btoa('1.x')}`, 'limit=9', 'limit=1001', 'limit=1.5', 'limit='])
      expect([query, (await ask(hub.as('bob'), `GET /api/settings/watch?${query}`)).status]).toEqual([query, 400]);
  });
});

describe('deleting watches', () => {
  test('works by name or id; a target that is not watched or does not exist is not an error', async () => {
    await watch('bob', user('alice'), org('acme'), repo('alice/letters'));
    await unwatch('bob', user('ALICE'), repo((await repoId('alice/letters')).toUpperCase()));
    expect(await watchedBy('bob')).toEqual(['org acme']);
    await unwatch('bob', user('alice'), user('nobody'), user(NOBODY), repo('x'), repo('acme/secret'));
    expect(await watchedBy('bob')).toEqual(['org acme']);
  });

  test('concerns the named target only, not another one with the same id or name', async () => {
    await watch('bob', org('acme'), repo('alice/letters'));
    await unwatch('bob', user('acme'), user(await acmeId()), repo('dataset/alice/letters'));
    expect(await watchedBy('bob')).toHaveLength(2);
  });

  test('has no effect on items that the same request adds', async () => {
    await watch('bob', user('alice'));
    await updateWatched({
      ...hub.as('bob'),
      add: [user('alice'), org('acme')],
      delete: [user(await userId('alice')), org('acme')],
    });
    expect((await watchedBy('bob')).sort()).toEqual(['org acme', 'user alice']);
  });
});

describe('a target that the user may no longer see', () => {
  test('is not listed, can be deleted by its id, and is listed again once it is visible', async () => {
    const id = await repoId('alice/letters');
    await watch('bob', repo(id));
    await watch('zoe', repo(id));
    const setPrivate = (value: boolean) =>
      updateRepoSettings({ ...hub.as('alice'), ...MODEL, settings: { private: value } });
    await setPrivate(true);
    expect([await watchedBy('bob'), await watchedBy('zoe')]).toEqual([[], []]);
    await unwatch('bob', repo(id));
    await setPrivate(false);
    expect([await watchedBy('bob'), await watchedBy('zoe')]).toEqual([[], ['model alice/letters']]);
  });

  test('depends on the token as well', async () => {
    await hub.drain();
    await watch('alice', repo('acme/secret'), repo('alice/letters'));
    const withScopes = async (...scoped: { on: string; permissions: string[] }[]) => {
      const token = 'hf_fineGrained00';
      const entities = scoped.map(({ on, permissions }) => ({ entity: { _id: on, type: 'user' }, permissions }));
      const scopes = { scoped: entities };
      await hub.apply({ users: [{ name: 'alice', tokens: [{ name: 'fine', role: 'fineGrained', token, scopes }] }] });
      return hub.with(token);
    };
    const own = { on: await userId('alice'), permissions: ['user.settings.write'] };
    const narrow = await withScopes(own);
    const names = async (connection: typeof narrow) =>
      (await collect(listWatched(connection))).map(({ name }) => name).sort();
    expect(await names(narrow)).toEqual(['acme', 'alice/letters']);
    await expect(updateWatched({ ...narrow, add: [repo('acme/secret')] })).rejects.toMatchObject({ status: 404 });
    const wide = await withScopes(own, { on: await acmeId(), permissions: ['repo.content.read'] });
    expect(await names(wide)).toEqual(['acme', 'acme/secret', 'alice/letters']);
  });
});

describe('an organization', () => {
  const setRole = async (role: 'admin' | 'write' | 'read' | 'no_access' | undefined) => {
    const member = role ? { user: 'bob', role } : { user: 'bob', state: 'absent' as const };
    await hub.apply({ organizations: [{ name: 'acme', members: [member] }] });
  };

  test('is watched by its creator and by new members at once', async () => {
    await setRole('read');
    expect([await watchedBy('alice'), await watchedBy('bob')]).toEqual([['org acme'], ['org acme']]);
    await hub.apply({ organizations: [{ name: 'tools' }] });
    expect((await collect(listWatched(hub.admin))).map(({ name }) => name)).toEqual(['tools']);
  });

  test('stays unwatched by a member who ended the watch, whatever role the member gets', async () => {
    await setRole('read');
    await hub.drain();
    await unwatch('bob', org('acme'));
    await setRole('admin');
    await hub.drain();
    expect(await watchedBy('bob')).toEqual([]);
  });

  test('is no longer watched by former members, nor are repositories that only members read; other watches stay', async () => {
    await createRepo({ ...hub.as('alice'), repo: 'acme/open' });
    await setRole('read');
    await hub.drain();
    await watch('bob', repo('acme/secret'), repo('acme/open'), user('alice'));
    await setRole(undefined);
    await hub.drain();
    expect((await watchedBy('bob')).sort()).toEqual(['model acme/open', 'user alice']);
    await setRole('write');
    await hub.drain();
    expect((await watchedBy('bob')).sort()).toEqual(['model acme/open', 'org acme', 'user alice']);
  });

  test('is no longer watched with a role without access, and watched again with one that has access', async () => {
    await setRole('no_access');
    await hub.drain();
    expect(await watchedBy('bob')).toEqual([]);
    await setRole('read');
    await hub.drain();
    expect(await watchedBy('bob')).toEqual(['org acme']);
    await setRole('no_access');
    await hub.drain();
    expect(await watchedBy('bob')).toEqual([]);
  });

  test('is watched by exactly its present members after concurrent changes', async () => {
    for (const role of ['read', undefined, 'write', undefined] as const) await setRole(role);
    await hub.drain();
    expect(await watchedBy('bob')).toEqual([]);
    for (const role of ['read', undefined, 'write'] as const) await setRole(role);
    await hub.drain();
    expect(await watchedBy('bob')).toEqual(['org acme']);
  });

  test('is watched by nobody once it is deleted', async () => {
    await watch('bob', org('acme'));
    await hub.apply({ organizations: [{ name: 'acme', state: 'absent' }] });
    await hub.drain();
    expect([await watchedBy('alice'), await watchedBy('bob')]).toEqual([[], []]);
  });

  test('can be watched by outsiders, whose watches outlive changes of membership', async () => {
    await watch('zoe', org('acme'));
    await setRole('read');
    await setRole(undefined);
    await hub.drain();
    expect(await watchedBy('zoe')).toEqual(['org acme']);
  });
});

test('reading watches requires a token that reads settings, changing them one that writes settings', async () => {
  const id = await userId('bob');
  const scoped = (permission: string) => ({
    scopes: { scoped: [{ entity: { _id: id, type: 'user' }, permissions: [permission] }] },
    role: 'fineGrained' as const,
  });
  const everywhere = { role: 'fineGrained' as const, scopes: { scoped: [], global: ['user.settings.write'] } };
  const cases = [
    [{ role: 'write' as const }, 200, 200],
    [{ role: 'read' as const }, 200, 403],
    [scoped('user.settings.read'), 200, 403],
    [scoped('user.settings.write'), 200, 200],
    [scoped('user.webhooks.write'), 403, 403],
    [everywhere, 200, 200],
  ] as const;
  for (const [kind, get, patch] of cases) {
    const token = 'hf_tokenOfACase';
    await hub.apply({ users: [{ ...person('bob'), tokens: [{ name: 'case', token, ...kind }] }] });
    for (const list of ['watch', 'mute', 'notifications'] as const) {
      const body = { notifications: {} };
      const statuses = [
        (await ask(hub.with(token), `GET /api/settings/${list}`)).status,
        (await ask(hub.with(token), `PATCH /api/settings/${list}`, body)).status,
      ];
      expect([kind, list, ...statuses]).toEqual([kind, list, get, patch]);
    }
    const mcp = [
      (await ask(hub.with(token), 'GET /api/settings/mcp')).status,
      (await ask(hub.with(token), 'PATCH /api/settings/mcp', {})).status,
    ];
    expect([kind, ...mcp]).toEqual([kind, 200, patch]);
    await hub.apply({ users: [{ name: 'bob', tokens: [{ name: 'case', state: 'absent' }] }] });
  }
  for (const list of ['watch', 'mute', 'notifications', 'mcp'] as const)
    expect((await ask({ hubUrl: hub.url }, `GET /api/settings/${list}`)).status).toBe(401);
});
