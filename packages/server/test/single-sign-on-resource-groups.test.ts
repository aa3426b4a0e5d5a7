import { listAuditLog } from '@moonbase/client/audit-log';
import {
  addResourceGroupUsers,
  createResourceGroup,
  deleteResourceGroup,
  getResourceGroup,
  updateResourceGroupUser,
} from '@moonbase/client/resource-groups';
import { setSingleSignOn } from '@moonbase/client/single-sign-on';
import { expect, test } from 'vitest';
import { CLIENT } from './forging-provider.ts';
import { collect } from './harness.ts';
import { setProvider, startOrganizationProvider } from './organization-provider.ts';
import { withPassword } from './signed-in.ts';
import { finish, signInAs } from './single-sign-on.ts';

const ACME = { wish: { organization: 'acme' } };

/** Starts acme with a provider and the resource groups vision, which the provider's groups map to, and audio. */
async function start() {
  const here = await startOrganizationProvider({ createUsers: true });
  const acme = { ...here.ada, organization: 'acme' };
  const [vision, audio] = [
    await createResourceGroup({ ...acme, name: 'vision' }),
    await createResourceGroup({ ...acme, name: 'audio' }),
  ];
  const map = (resourceGroupId = vision.id, role = 'write') =>
    setProvider(here, here.provider, {
      createUsers: true,
      resourceGroupMapping: [
        { group: 'pixels', role: 'read', resourceGroupId },
        { group: 'painters', role, resourceGroupId },
      ],
    });
  await map();
  return {
    ...{ ...here, acme, vision, audio, map },
    enter: async (groups: readonly string[] | undefined, person: object = { preferred_username: 'dora' }) => {
      const claims = { sub: 'u-1', ...person, ...(groups && { groups }) };
      const answer = await signInAs(here.hub, here.provider, claims, ACME);
      expect(answer.status).toBe(200);
      return answer;
    },
    rolesIn: async ({ id }: { readonly id: string }) => {
      const { users } = await getResourceGroup({ ...acme, resourceGroupId: id });
      return Object.fromEntries(users.map(({ name, role }) => [name, role]));
    },
    [Symbol.asyncDispose]: () => here[Symbol.asyncDispose](),
  };
}

test('groups of the provider give the best mapped role in a resource group, anew at each sign-in, until the group is gone', async () => {
  await using here = await start();
  const { vision, enter, rolesIn, acme } = here;
  await enter(['/pixels', 'painters']);
  expect(await rolesIn(vision)).toMatchObject({ dora: 'write' });
  expect(await here.roleOf('dora')).toBe('read');
  await enter(['pixels']);
  expect(await rolesIn(vision)).toMatchObject({ dora: 'read' });
  // Without groups from the provider, and with too many for a token, nothing changes.
  await enter(undefined);
  expect(await rolesIn(vision)).toMatchObject({ dora: 'read' });
  await enter(['Pixels']);
  expect(await rolesIn(vision)).not.toHaveProperty('dora');
  await enter([]);
  const log = await collect(listAuditLog({ ...acme, name: 'acme', q: 'type:resource_group.*' }));
  expect(log.map(({ type, author, data }) => [type, author.user, data]).slice(0, 3)).toEqual([
    ['resource_group.remove_users', 'dora', { id: vision.id, users: ['dora'] }],
    ['resource_group.change_role', 'dora', { id: vision.id, user: 'dora', before: 'write', after: 'read' }],
    ['resource_group.add_users', 'dora', { id: vision.id, users: [{ user: 'dora', role: 'write' }] }],
  ]);
});

test('a private repository of the resource group appears and disappears with the group', async () => {
  await using here = await start();
  const { hub, enter, acme } = here;
  await hub.apply({ repos: [{ name: 'acme/eyes', private: true }] });
  const repos = [{ type: 'model' as const, name: 'acme/eyes' }];
  const { id: resourceGroupId } = await createResourceGroup({ ...acme, name: 'eyes', repos });
  await setProvider(here, here.provider, {
    ...{ createUsers: true, defaultRole: 'no_access' },
    resourceGroupMapping: ['pixels', 'painters'].map((group) => ({ group, role: 'read', resourceGroupId })),
  });
  const sees = async (groups: readonly string[]) => {
    const { browser } = await enter(groups);
    return (await browser.ask('GET /api/models/acme/eyes')).status;
  };
  expect([await sees(['pixels']), await sees([]), await sees(['painters'])]).toEqual([200, 404, 200]);
});

test('resource groups that are not mapped keep whom an admin added; in mapped ones the groups decide', async () => {
  await using here = await start();
  const { vision, audio, enter, rolesIn, acme } = here;
  await enter([]);
  for (const { id } of [vision, audio])
    await addResourceGroupUsers({ ...acme, resourceGroupId: id, users: [{ user: 'dora', role: 'admin' }] });
  await enter(['pixels']);
  expect([(await rolesIn(vision)).dora, (await rolesIn(audio)).dora]).toEqual(['read', 'admin']);
  await enter([]);
  expect([(await rolesIn(vision)).dora, (await rolesIn(audio)).dora]).toEqual([undefined, 'admin']);
});

test('a role goes at the next sign-in once its resource group is mapped no longer, whatever the provider says of groups', async () => {
  await using here = await start();
  const { vision, audio, enter, rolesIn, acme, map } = here;
  await enter(['painters']);
  await addResourceGroupUsers({ ...acme, resourceGroupId: audio.id, users: [{ user: 'dora', role: 'read' }] });
  await map(audio.id);
  expect(await rolesIn(vision)).toMatchObject({ dora: 'write' });
  await enter(['painters']);
  expect([(await rolesIn(vision)).dora, (await rolesIn(audio)).dora]).toEqual([undefined, 'write']);
  await setProvider(here, here.provider, { createUsers: true });
  await enter(undefined);
  expect((await rolesIn(audio)).dora).toBeUndefined();
  const [taken] = await collect(listAuditLog({ ...acme, name: 'acme', q: 'type:resource_group.remove_users' }));
  expect([taken?.author.user, taken?.data]).toEqual(['dora', { id: audio.id, users: ['dora'] }]);
});

test('a role that an admin gave or changed by hand stays when the mapping goes', async () => {
  await using here = await start();
  const { vision, audio, enter, rolesIn, acme } = here;
  await enter(['painters']);
  await updateResourceGroupUser({ ...acme, resourceGroupId: vision.id, username: 'dora', role: 'admin' });
  await addResourceGroupUsers({ ...acme, resourceGroupId: audio.id, users: [{ user: 'dora', role: 'read' }] });
  await setProvider(here, here.provider, { createUsers: true });
  await enter(['painters']);
  expect([(await rolesIn(vision)).dora, (await rolesIn(audio)).dora]).toEqual(['admin', 'read']);
});

test('a plan without resource groups takes no role back', async () => {
  await using here = await start();
  const { hub, vision, enter, rolesIn } = here;
  await enter(['painters']);
  await hub.apply({ organizations: [{ name: 'acme', plan: 'team' }] });
  await enter(['painters']);
  await hub.apply({ organizations: [{ name: 'acme', plan: 'plus' }] });
  expect(await rolesIn(vision)).toMatchObject({ dora: 'write' });
});

test('who links the provider gets the roles of resource groups, too', async () => {
  await using here = await start();
  const bob = await withPassword(here.hub, 'bob');
  const { body } = await bob.ask('POST /api/settings/identities', { organization: 'acme' });
  await finish(bob, here.provider.authorize(body.url, { sub: 'u-bob', groups: ['painters'] }));
  expect(await here.rolesIn(here.vision)).toMatchObject({ bob: 'write' });
});

test('a resource group that SCIM manages, that is gone, or whose plan has ended stays as it is, and people sign in', async () => {
  await using here = await start();
  const { hub, vision, audio, enter, rolesIn, acme, map } = here;
  await map(audio.id);
  await hub.database.transaction((tx) =>
    tx.updateTable('resource_groups').set({ managed_by: 'scim' }).where('id', '=', audio.id).execute(),
  );
  await enter(['painters']);
  expect(await rolesIn(audio)).not.toHaveProperty('dora');
  await expect(map(audio.id)).rejects.toMatchObject({ status: 400, message: expect.stringContaining('SCIM') });
  await map(vision.id);
  await hub.apply({ organizations: [{ name: 'acme', plan: 'team' }] });
  await enter(['painters']);
  await hub.apply({ organizations: [{ name: 'acme', plan: 'plus' }] });
  expect(await rolesIn(vision)).not.toHaveProperty('dora');
  await deleteResourceGroup({ ...acme, resourceGroupId: vision.id });
  await enter(['painters']);
});

test('only resource groups of the organization are mapped, to roles that give access, in a plan that has them', async () => {
  await using here = await start();
  const { hub, map, acme } = here;
  await hub.people('mallory');
  await hub.apply({ organizations: [{ name: 'evil', plan: 'plus', members: [{ user: 'mallory', role: 'admin' }] }] });
  // An admin of another organization gives nobody a role in a resource group of acme.
  const evil = { ...hub.as('mallory'), organization: 'evil' };
  const provider = {
    ...{ issuer: here.provider.issuer, clientId: CLIENT.id, createUsers: true },
    resourceGroupMapping: [{ group: 'painters', role: 'admin', resourceGroupId: here.vision.id }],
  };
  await expect(setSingleSignOn({ ...evil, provider })).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('is not a resource group of the organization'),
  });
  await expect(setSingleSignOn({ ...evil, organization: 'acme', provider })).rejects.toMatchObject({ status: 403 });
  for (const [id, role] of [
    ['f'.repeat(24), 'read'],
    [here.vision.id, 'no_access'],
    [here.vision.id, 'boss'],
  ] as const)
    await expect(map(id, role)).rejects.toMatchObject({ status: 400 });
  const joined = await createResourceGroup({ ...acme, name: 'all', autoJoin: { enabled: true, role: 'read' } });
  await expect(map(joined.id)).rejects.toMatchObject({ status: 400 });
  await hub.apply({ organizations: [{ name: 'acme', plan: 'team' }] });
  await expect(
    setProvider(here, here.provider, { resourceGroupMapping: provider.resourceGroupMapping }),
  ).rejects.toMatchObject({ status: 402 });
});
