import { expect, test } from 'vitest';
import { MEMBERSHIP } from '../src/access/tables.ts';
import { ACCOUNT, NO_OWN_QUOTAS } from '../src/accounts/tables.ts';
import { insertNew } from '../src/platform/database/bulk.ts';
import type { TaskWork } from '../src/platform/queue/tasks.ts';
import { PATCH, startScim } from './scim-fixture.ts';

const MEMBERS = 600;
const HOUR_MS = 60 * 60 * 1000;
const idOf = (at: number) => at.toString(16).padStart(24, '0');
const newGroup = (displayName: string, ids: readonly string[]) => ({
  displayName,
  members: ids.map((value) => ({ value })),
});

/** Creates a gate that lets a number of steps of SCIM tasks pass and makes later ones fail. */
function createGate() {
  const gate = { left: Number.POSITIVE_INFINITY, failing: 0, statements: [] as number[] };
  const through = (work: TaskWork): TaskWork => ({
    ...work,
    async step(tx, task) {
      if (!work.kind.startsWith('scim.')) return work.step(tx, task);
      if (gate.left === 0) return { data: task.data, afterMs: HOUR_MS };
      gate.left -= 1;
      const executor = tx.getExecutor();
      const execute = executor.executeQuery.bind(executor);
      let statements = 0;
      executor.executeQuery = (query) => {
        statements += 1;
        return execute(query);
      };
      const result = await work.step(tx, task);
      executor.executeQuery = execute;
      gate.statements.push(statements);
      if (gate.failing > 0) {
        gate.failing -= 1;
        throw new Error('The process dies');
      }
      return result;
    },
  });
  return { gate, overrides: { tasks: (tasks: readonly TaskWork[]) => tasks.map(through) } };
}

/** Starts a hub with 600 more members of the role `read` in acme, all of them in the SCIM group Everybody. */
async function startLarge(overrides: Parameters<typeof startScim>[0] = {}) {
  const fixture = await startScim(overrides);
  const { hub, scim, org } = fixture;
  const [acme] = await fixture.rows<{ id: string }>("select id from accounts where name = 'acme'");
  const orgId = acme?.id ?? '';
  const ids = Array.from({ length: MEMBERS }, (_, at) => idOf(at));
  await hub.database.transaction(async (tx) => {
    const account = { kind: 'user', avatar_url: null, created_at: 0, email: null, pro: 0, site_admin: 0 } as const;
    const plain = { plan: 'free', details: null, disabled_at: null, disabled_by: null, ...NO_OWN_QUOTAS } as const;
    const named = ids.map((id, at) => ({ id, name: `user-${at}`, name_key: `user-${at}`, fullname: `User ${at}` }));
    await insertNew(
      tx,
      'accounts',
      ACCOUNT,
      named.map((names) => ({ ...account, ...plain, ...names })),
    );
    const membership = { org_id: orgId, role: 'read', base_role: 'read', created_at: 0, in_scim: 0 } as const;
    await insertNew(
      tx,
      'memberships',
      MEMBERSHIP,
      named.map(({ id, name }) => ({ ...membership, user_id: id, search_key: name })),
    );
  });
  const groupId = (await scim('POST /Groups', newGroup('Everybody', ids))).body.id as string;
  const lab = (await org('POST /resource-groups', { name: 'lab' })).body.id as string;
  const count = async (table: string, where: string) => {
    const [row] = await fixture.rows<{ count: number }>(`select count(*) as count from ${table} where ${where}`);
    return row?.count;
  };
  return {
    fixture,
    ids,
    groupId,
    lab,
    link: async (role: string, resourceGroupId?: string) =>
      (await org('POST /scim/links', { groupId, role, ...(resourceGroupId && { resourceGroupId }) })).body.id as string,
    withRole: (role: string) => count('memberships', `org_id = '${orgId}' and role = '${role}'`),
    inLab: (role: string) => count('resource_group_users', `group_id = '${lab}' and role = '${role}'`),
    membersOf: (id: string) => count('scim_group_members', `group_id = '${id}'`),
    given: () => count('scim_roles', `org_id = '${orgId}'`),
    told: () => count('events', "topic = 'membership'"),
  };
}

test('the members of a large group get its roles in steps after the response', async () => {
  const { fixture, lab, link, withRole, inLab, given } = await startLarge();
  await using _ = fixture;
  await link('read', lab);
  await link('write');
  expect([await inLab('read'), await withRole('write')]).toEqual([0, 0]);
  await fixture.hub.drain();
  expect([await inLab('read'), await withRole('write'), await given()]).toEqual([MEMBERS, MEMBERS, MEMBERS]);
  const messages = (await fixture.audit()).map(([, message]) => message);
  expect(messages.filter((message) => /^Changed the role of user-\d+ from read to write$/.test(message))).toHaveLength(
    MEMBERS,
  );
  expect(messages.filter((message) => message.endsWith('users to the resource group lab'))).toEqual([
    'Added 250 users to the resource group lab',
    'Added 250 users to the resource group lab',
    'Added 100 users to the resource group lab',
  ]);
});

test('a large group is hidden at once when deleted, and its members are deleted in steps', async () => {
  const { fixture, groupId, lab, link, withRole, inLab, membersOf, given } = await startLarge();
  await using _ = fixture;
  const { hub, scim, org } = fixture;
  await link('write', lab);
  await link('write');
  await hub.drain();
  expect((await scim(`DELETE /Groups/${groupId}`)).status).toBe(204);
  expect((await scim(`GET /Groups/${groupId}`)).status).toBe(404);
  expect((await scim(`DELETE /Groups/${groupId}`)).status).toBe(404);
  expect((await scim('GET /Groups')).body.totalResults).toBe(0);
  expect((await org('GET /scim/links')).body).toEqual([]);
  expect((await scim('POST /Groups', newGroup('everybody', []))).status).toBe(201);
  expect((await org(`POST /resource-groups/${lab}/users`, { users: [{ user: 'user-1', role: 'read' }] })).status).toBe(
    403,
  );
  await hub.drain();
  expect([await inLab('write'), await withRole('write'), await membersOf(groupId), await given()]).toEqual([
    0, 0, 0, 0,
  ]);
  expect(await withRole('read')).toBe(MEMBERS);
  expect((await fixture.rows(`select id from scim_groups where id = '${groupId}'`)).length).toBe(0);
  expect((await org(`POST /resource-groups/${lab}/users`, { users: [{ user: 'user-1', role: 'read' }] })).status).toBe(
    200,
  );
});

test('an organization is purged with its groups, members and roles', async () => {
  const { fixture, groupId, lab, link, inLab, membersOf, given } = await startLarge();
  await using _ = fixture;
  await link('read', lab);
  await link('write');
  await fixture.hub.drain();
  expect([await inLab('read'), await membersOf(groupId), await given()]).toEqual([MEMBERS, MEMBERS, MEMBERS]);
  expect((await fixture.org('DELETE ')).status).toBe(200);
  fixture.hub.clock.advance(31 * 24 * HOUR_MS);
  await fixture.hub.drain();
  expect([await inLab('read'), await membersOf(groupId), await given()]).toEqual([0, 0, 0]);
  expect(await fixture.rows("select id from accounts where kind = 'org'")).toEqual([]);
});

test('changes between two steps are taken into account by the next steps', async () => {
  const { gate, overrides } = createGate();
  const { fixture, ids, groupId, lab, link, withRole, inLab } = await startLarge(overrides);
  await using _ = fixture;
  const { hub, scim, org } = fixture;
  gate.left = 1;
  const linkId = await link('write', lab);
  await link('write');
  await hub.drain();
  const [first = '', last = ''] = [ids[0], ids.at(-1)];
  const leave = (value: string) => ({ op: 'remove', path: `members[value eq "${value}"]` });
  expect((await scim(`PATCH /Groups/${groupId}`, PATCH(leave(first), leave(last)))).status).toBe(200);
  expect((await org(`PATCH /scim/links/${linkId}`, { role: 'contributor' })).status).toBe(200);
  expect((await org('DELETE /members/user-300')).status).toBe(200);
  gate.left = Number.POSITIVE_INFINITY;
  hub.clock.advance(2 * HOUR_MS);
  await hub.drain();
  expect([await inLab('contributor'), await inLab('write')]).toEqual([MEMBERS - 3, 0]);
  expect([await withRole('write'), await withRole('read')]).toEqual([MEMBERS - 3, 2]);
});

test('a link that is deleted while its task runs gives no roles in the end', async () => {
  const { gate, overrides } = createGate();
  const { fixture, lab, link, inLab } = await startLarge(overrides);
  await using _ = fixture;
  gate.left = 1;
  const linkId = await link('write', lab);
  await fixture.hub.drain();
  expect(await inLab('write')).toBe(250);
  expect((await fixture.org(`DELETE /scim/links/${linkId}`)).status).toBe(200);
  gate.left = Number.POSITIVE_INFINITY;
  fixture.hub.clock.advance(2 * HOUR_MS);
  await fixture.hub.drain();
  expect(await inLab('write')).toBe(0);
  expect(await fixture.rows('select managed_by from resource_groups')).toEqual([{ managed_by: null }]);
});

test('a failed step is repeated, and no event is recorded twice', async () => {
  const { gate, overrides } = createGate();
  const { fixture, link, withRole, told } = await startLarge(overrides);
  await using _ = fixture;
  const before = (await told()) ?? 0;
  gate.failing = 2;
  await link('write');
  await fixture.hub.drain();
  expect(await withRole('write')).toBe(0);
  for (const _again of [1, 2]) {
    fixture.hub.clock.advance(24 * HOUR_MS);
    await fixture.hub.drain();
  }
  expect([await withRole('write'), ((await told()) ?? 0) - before]).toEqual([MEMBERS, MEMBERS]);
});

test('the last owner stays: deleting the link of a large group is refused if no other owner would remain', async () => {
  const { fixture, groupId, link, withRole } = await startLarge();
  await using _ = fixture;
  const { hub, scim, org } = fixture;
  const linkId = await link('admin');
  await hub.drain();
  expect(await withRole('admin')).toBe(MEMBERS + 1);
  // From here on only the group makes ada an owner.
  const [ada] = await fixture.rows<{ id: string }>("select id from accounts where name = 'ada'");
  await hub.database.transaction(async (tx) => {
    const [acme] = await tx.selectFrom('accounts').select('id').where('name', '=', 'acme').execute();
    const row = { org_id: acme?.id ?? '', user_id: ada?.id ?? '', own_role: 'read', given_role: 'admin' };
    await tx.insertInto('scim_roles').values(row).execute();
  });
  expect((await org(`DELETE /scim/links/${linkId}`)).status).toBe(409);
  expect((await org(`PATCH /scim/links/${linkId}`, { role: 'write' })).status).toBe(409);
  expect((await scim(`DELETE /Groups/${groupId}`)).status).toBe(409);
  await hub.drain();
  expect(await withRole('admin')).toBe(MEMBERS + 1);
  expect((await org('GET /scim/links')).body).toHaveLength(1);
});

test('the number of statements of a step does not depend on the number of members', async () => {
  const { gate, overrides } = createGate();
  const { fixture, lab, link } = await startLarge(overrides);
  await using _ = fixture;
  await link('write', lab);
  await link('write');
  await fixture.hub.drain();
  expect(gate.statements).toHaveLength(6);
  expect(Math.max(...gate.statements)).toBeLessThan(25);
});
