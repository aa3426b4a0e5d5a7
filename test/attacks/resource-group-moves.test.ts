import { createDiscussion } from '@moonbase/client/discussions';
import { createRepo, moveRepo, updateRepoSettings } from '@moonbase/client/repositories';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask } from '../../packages/server/test/ask.ts';
import { type Connection, person, startHub, type TestHub } from '../../packages/server/test/harness.ts';

/**
 * Members who could not change a resource group cannot expose its repositories to the rest of acme. ada is admin of
 * acme; will and carl write in acme and rita reads; gus is admin of the group lab, in which will writes and carl
 * contributes. otto runs globex, in which will may create repositories, too.
 */
let hub: TestHub;
let lab: string;
beforeAll(async () => {
  hub = await startHub();
  const member = (user: string, role: 'admin' | 'write' | 'read') => ({ user, role });
  await hub.apply({
    users: ['ada', 'will', 'carl', 'rita', 'gus', 'otto'].map(person),
    organizations: [
      {
        name: 'acme',
        plan: 'enterprise',
        members: [
          member('ada', 'admin'),
          member('will', 'write'),
          member('carl', 'write'),
          member('gus', 'write'),
          member('rita', 'read'),
        ],
      },
      { name: 'globex', members: [member('otto', 'admin'), member('will', 'write'), member('gus', 'write')] },
    ],
  });
  const users = [
    { user: 'gus', role: 'admin' },
    { user: 'will', role: 'write' },
    { user: 'carl', role: 'contributor' },
  ];
  const answer = await ask(hub.as('ada'), 'POST /api/organizations/acme/resource-groups', { name: 'lab', users });
  lab = ((await answer.json()) as { id: string }).id;
});
afterAll(() => hub[Symbol.asyncDispose]());

let made = 0;
/** Creates a repository in the group. */
async function inLab(by: string, isPrivate = true): Promise<string> {
  made += 1;
  const body = { name: `acme/r${made}`, private: isPrivate, resourceGroupId: lab };
  expect((await ask(hub.as(by), 'POST /api/repos/create', body)).status).toBe(200);
  return `r${made}`;
}
const status = (call: Promise<unknown>) =>
  call.then(
    () => 200,
    (error: unknown) => (error as { status: number }).status,
  );
const move = (by: string, from: string, to: string) => moveRepo({ ...hub.as(by), type: 'model', from, to });
const reads = async (by: Connection, name: string) => (await ask(by, `GET /api/models/${name}`)).status;
const groupOf = async (name: string) =>
  (
    await hub.database.read
      .selectFrom('repositories')
      .select('resource_group_id')
      .where('name_key', '=', name)
      .executeTakeFirstOrThrow()
  ).resource_group_id;

test.each([
  ['will', 'to a namespace of one’s own', 'will'],
  ['will', 'to another organization', 'globex'],
  ['carl', 'of one’s own making', 'carl'],
])('%s, who may change a repository of the group, cannot move it out of the organization: %s', async (by, _, to) => {
  for (const isPrivate of [true, false]) {
    const name = await inLab(by, isPrivate);
    const answer = await ask(hub.as(by), 'POST /api/repos/move', { fromRepo: `acme/${name}`, toRepo: `${to}/${name}` });
    expect(answer.status).toBe(403);
    expect(((await answer.json()) as { error: string }).error).toContain('resource group');
    expect(await groupOf(name)).toBe(lab);
    expect(await reads(hub.as('rita'), `acme/${name}`)).toBe(isPrivate ? 404 : 200);
  }
});

test('a repository that is renamed within the organization stays in its group', async () => {
  const name = await inLab('will');
  await move('will', `acme/${name}`, `acme/${name}-renamed`);
  await move('will', `acme/${name}-renamed`, `acme/${name}`);
  expect(await groupOf(name)).toBe(lab);
  expect(await reads(hub.as('rita'), `acme/${name}`)).toBe(404);
});

test('only admins of the group or the organization make a private repository of the group public', async () => {
  const name = await inLab('will');
  const statusOfChange = (by: string, settings: { private?: boolean; visibility?: 'public'; gated?: 'auto' }) =>
    status(updateRepoSettings({ ...hub.as(by), type: 'model', repo: `acme/${name}`, settings }));
  expect(await statusOfChange('will', { private: false })).toBe(403);
  expect(await statusOfChange('will', { visibility: 'public', gated: 'auto' })).toBe(403);
  expect(await reads(hub.as('rita'), `acme/${name}`)).toBe(404);
  expect(await statusOfChange('will', { gated: 'auto', private: true })).toBe(200);
  expect(await statusOfChange('gus', { private: false })).toBe(200);
  // Anybody who may change a public repository makes it private; it remains allowed to be public.
  expect(await statusOfChange('will', { private: false })).toBe(200);
  expect(await statusOfChange('will', { private: true })).toBe(200);
  expect(await reads(hub.as('rita'), `acme/${name}`)).toBe(404);
  expect(await statusOfChange('ada', { private: false })).toBe(200);
});

test.each(['gus', 'ada'])(
  '%s may move a repository out of the organization and thereby out of the group; it returns without a group',
  async (by) => {
    const name = await inLab('will');
    await move(by, `acme/${name}`, `${by}/${name}`);
    expect(await groupOf(name)).toBeNull();
    await move(by, `${by}/${name}`, `acme/${name}`);
    expect(await reads(hub.as('rita'), `acme/${name}`)).toBe(200);
  },
);

test('a token of an admin needs resourceGroup.write to move a repository', async () => {
  const name = await inLab('will');
  const { id } = await hub.database.read
    .selectFrom('accounts')
    .select('id')
    .where('name_key', '=', 'acme')
    .executeTakeFirstOrThrow();
  const ada = await hub.database.read
    .selectFrom('accounts')
    .select('id')
    .where('name_key', '=', 'ada')
    .executeTakeFirstOrThrow();
  const token = async (words: string[]) => {
    const scoped = [
      { entity: { _id: id, type: 'org' }, permissions: words },
      { entity: { _id: ada.id, type: 'user' }, permissions: ['repo.write'] },
    ];
    const body = { displayName: words.join(), role: 'fineGrained', fineGrained: { scoped } };
    const answer = await ask(hub.as('ada'), 'POST /api/settings/tokens', body);
    return hub.with(((await answer.json()) as { token: string }).token);
  };
  const body = { fromRepo: `acme/${name}`, toRepo: `ada/${name}` };
  expect((await ask(await token(['repo.write']), 'POST /api/repos/move', body)).status).toBe(403);
  const both = await token(['repo.write', 'resourceGroup.write']);
  expect((await ask(both, 'POST /api/repos/move', body)).status).toBe(200);
});

test('a repository that is deleted and created again under the same name inherits no group', async () => {
  const name = await inLab('will');
  await createDiscussion({
    ...hub.as('will'),
    type: 'model',
    repo: `acme/${name}`,
    title: 'kept in',
    description: '.',
  });
  expect((await ask(hub.as('will'), 'DELETE /api/repos/delete', { name: `acme/${name}` })).status).toBe(200);
  await createRepo({ ...hub.as('will'), repo: `acme/${name}`, private: true });
  expect(await (await ask(hub.as('rita'), `GET /api/models/acme/${name}/discussions`)).json()).toMatchObject({
    count: 0,
  });
});

test('a member with the role write cannot remove a repository from its group', async () => {
  const request = `DELETE /api/organizations/acme/resource-groups/${lab}` as const;
  for (const by of ['will', 'carl', 'rita']) expect((await ask(hub.as(by), request)).status).toBeGreaterThan(400);
  const name = await inLab('will');
  const out = await ask(hub.as('will'), `POST /api/models/acme/${name}/resource-group`, { resourceGroupId: null });
  expect(out.status).toBe(403);
});
