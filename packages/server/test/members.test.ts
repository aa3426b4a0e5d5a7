import {
  acceptInvitation,
  createInvitation,
  deleteInvitation,
  listInvitations,
  listOwnInvitations,
} from '@moonbase/client/invitations';
import { addMember, changeMemberRole, joinOrganization, listMembers, removeMember } from '@moonbase/client/members';
import { updateOrganization } from '@moonbase/client/organizations';
import { getUserOverview, whoAmI } from '@moonbase/client/profiles';
import type { Plan } from '@moonbase/contract/primitives';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { ask } from './ask.ts';
import { type AuditRecorder, createAuditRecorder } from './audit-recorder.ts';
import { DAY, MINUTE } from './clock.ts';
import { collect, person, startHub, type TestHub } from './harness.ts';

let hub: TestHub;
let audit: AuditRecorder;
const acme = { name: 'acme' };

beforeEach(async () => {
  audit = createAuditRecorder();
  hub = await startHub({}, { audit });
  onTestFinished(() => hub[Symbol.asyncDispose]());
  await hub.apply({
    users: [
      { ...person('ada'), fullname: 'Ada Lovelace', email: 'ada@acme.com' },
      { ...person('bob'), fullname: 'Bob Ångström', email: 'bob@Acme.com' },
      { ...person('carl'), fullname: 'Carl 100%_sure' },
      { ...person('zoe'), email: 'zoe@elsewhere.org' },
    ],
    organizations: [{ name: 'acme', plan: 'enterprise', members: [{ user: 'ada', role: 'admin' }] }],
  });
  for (const [user, role] of [
    ['bob', 'write'],
    ['carl', 'no_access'],
  ] as const) {
    hub.clock.advance(MINUTE);
    await addMember({ ...hub.as('ada'), ...acme, username: user, role });
  }
  audit.taken();
});

const plan = (value: Plan) => hub.apply({ organizations: [{ name: 'acme', plan: value }] });
const names = async (user: string, filter: { search?: string; email?: string } = {}) =>
  (await collect(listMembers({ ...hub.as(user), ...acme, ...filter }))).map((member) => member.user);
const seen = (user: string, filter = {}) => collect(listMembers({ ...hub.as(user), ...acme, ...filter }));
const roleOf = async (user: string) => (await whoAmI(hub.as(user))).orgs[0]?.roleInOrg;
const setRole = (user: string, role: string, resourceGroups?: { id: string; role: string }[], by = 'ada') =>
  changeMemberRole({ ...hub.as(by), ...acme, username: user, role, resourceGroups });

describe('the list of members', () => {
  test('is in the order of joining, with the fields that the caller may see', async () => {
    const [ada] = await seen('zoe');
    expect(ada).toEqual({
      _id: expect.any(String),
      avatarUrl: expect.any(String),
      fullname: 'Ada Lovelace',
      isPro: false,
      type: 'user',
      user: 'ada',
    });
    expect(await seen('bob')).toMatchObject([
      { user: 'ada', role: 'admin' },
      { user: 'bob', role: 'write' },
      { user: 'carl', role: 'no_access' },
    ]);
    expect((await seen('bob'))[0]).not.toHaveProperty('verifiedEmail');
    expect((await seen('ada')).map(({ verifiedEmail, twoFaEnabled }) => [verifiedEmail, twoFaEnabled])).toEqual([
      ['ada@acme.com', false],
      ['bob@Acme.com', false],
      [null, false],
    ]);
    await plan('free');
    expect((await seen('ada'))[0]).not.toHaveProperty('verifiedEmail');
  });

  test.each([
    ['AD', ['ada']],
    ['lovelace', ['ada']],
    ['åNGSTRÖM', ['bob']],
    ['100%_', ['carl']],
    ['%', ['carl']],
    ['a', ['ada', 'bob', 'carl'].filter((name) => name !== 'bob')],
    ['nobody', []],
    ['b'.repeat(2048), []],
    ['', ['ada', 'bob', 'carl']],
  ])('finds by %j', async (search, found) => {
    expect(await names('zoe', { search })).toEqual(found);
  });

  test('finds members by their current names', async () => {
    await hub.apply({ users: [{ name: 'bob', fullname: 'Robert Née' }] });
    await hub.drain();
    expect(await names('zoe', { search: 'NÉE' })).toEqual(['bob']);
    expect(await names('zoe', { search: 'ström' })).toEqual([]);
    await hub.apply({ users: [{ name: 'bob', fullname: 'ΟΔΥΣΣΕΥΣ' }] });
    await hub.drain();
    for (const search of ['οδυς', 'ΟΔΥΣ', 'Οδυσσεύς'.normalize('NFD').replace(/\p{M}/gu, '')])
      expect(await names('zoe', { search })).toEqual(['bob']);
  });

  test('finds members by e-mail address for admins on the plan team and higher', async () => {
    expect(await names('ada', { email: 'bob@Acme.com' })).toEqual(['bob']);
    expect(await names('ada', { email: 'BOB@acme.COM' })).toEqual(['bob']);
    expect(await names('ada', { email: 'bob@acme.org' })).toEqual([]);
    expect(await names('ada', { email: 'ob@acme.com' })).toEqual([]);
    expect(await names('ada', { email: 'zoe@elsewhere.org' })).toEqual([]);
    for (const user of ['bob', 'carl', 'zoe'])
      await expect(names(user, { email: 'bob@Acme.com' })).rejects.toMatchObject({ status: 403 });
    await plan('team');
    expect(await names('ada', { email: 'bob@Acme.com' })).toEqual(['bob']);
    await plan('free');
    await expect(names('ada', { email: 'bob@Acme.com' })).rejects.toMatchObject({ status: 403 });
  });

  test('may be private, and profiles then do not reveal members', async () => {
    await updateOrganization({ ...hub.as('ada'), ...acme, change: { membersPrivate: true } });
    expect(await names('bob')).toHaveLength(3);
    for (const user of ['zoe', 'carl']) await expect(names(user)).rejects.toMatchObject({ status: 403 });
    expect((await getUserOverview({ ...hub.as('zoe'), username: 'ada' })).orgs).toEqual([]);
    expect((await getUserOverview({ ...hub.as('bob'), username: 'ada' })).orgs).toHaveLength(1);
  });

  test.each([
    `search=${'b'.repeat(2049)}`,
    'limit=9',
    'limit=10001',
    'limit=a',
    'email=nobody',
    'cursor=bm8',
    'cursor=!!',
  ])('refuses ?%s', async (query) => {
    expect((await ask(hub.as('ada'), `GET /api/organizations/acme/members?${query}`)).status).toBe(400);
  });

  test('shows resource groups: all to admins, the shared ones to members, none to others', async () => {
    const groups = await makeGroups('red', 'blue');
    await setRole('bob', 'write', [
      { id: groups.red!, role: 'admin' },
      { id: groups.blue!, role: 'read' },
    ]);
    await setRole('carl', 'read', [{ id: groups.red!, role: 'read' }]);
    const groupsOf = async (viewer: string, user: string) =>
      (await seen(viewer)).find((member) => member.user === user)?.resourceGroups;
    const red = { id: groups.red, name: 'red', numUsers: 2 };
    expect(await groupsOf('ada', 'bob')).toEqual([
      { ...red, role: 'admin' },
      { id: groups.blue, name: 'blue', numUsers: 1, role: 'read' },
    ]);
    expect(await groupsOf('carl', 'bob')).toEqual([{ ...red, role: 'admin' }]);
    expect(await groupsOf('bob', 'ada')).toEqual([]);
    expect(await groupsOf('zoe', 'bob')).toBeUndefined();
  });

  test('names external collaborators where domains may join', async () => {
    await updateOrganization({ ...hub.as('ada'), ...acme, change: { joinDomains: ['acme.com'] } });
    await addMember({ ...hub.as('ada'), ...acme, username: 'zoe', role: 'read' });
    expect((await seen('bob')).filter((member) => member.isExternalCollaborator).map(({ user }) => user)).toEqual([
      'carl',
      'zoe',
    ]);
  });
});

/** Inserts resource groups into the tables, since other tests cover their creation. */
async function makeGroups(...wanted: string[]): Promise<Record<string, string>> {
  const { id: orgId } = await updateOrganization({ ...hub.as('ada'), ...acme, change: {} });
  return Object.fromEntries(
    await Promise.all(
      wanted.map(async (name, at) => {
        const id = `65a0c0ffee0000000000000${at}`;
        const row = {
          id,
          org_id: orgId,
          name,
          name_key: name,
          description: null,
          auto_join_role: null,
          auto_join_scope: 'all' as const,
          created_at: 0,
        };
        const managed_by = name === 'managed' ? ('scim' as const) : null;
        await hub.database.transaction((tx) =>
          tx
            .insertInto('resource_groups')
            .values({ ...row, managed_by })
            .execute(),
        );
        return [name, id];
      }),
    ),
  );
}

describe('adding and removing', () => {
  test('each has its event', async () => {
    await addMember({ ...hub.as('ada'), ...acme, username: 'zoe', role: 'read' });
    expect(await roleOf('zoe')).toBe('read');
    await addMember({ ...hub.as('ada'), ...acme, username: 'zoe', role: 'read' });
    await removeMember({ ...hub.as('ada'), ...acme, username: 'bob' });
    await removeMember({ ...hub.as('zoe'), ...acme, username: 'ZOE' });
    expect(audit.taken()).toEqual(['org.add_user by ada', 'org.remove_user by ada', 'org.leave by zoe']);
    expect(await names('ada')).toEqual(['ada', 'carl']);
  });

  test.each([
    ['PUT', 'nobody', { role: 'read' }, 404],
    ['PUT', 'acme', { role: 'read' }, 404],
    ['PUT', 'zoe', { role: 'king' }, 400],
    ['PUT', 'zoe', {}, 400],
    ['PUT', 'bob', { role: 'admin' }, 409],
    ['DELETE', 'zoe', undefined, 404],
    ['DELETE', 'nobody', undefined, 404],
    ['DELETE', 'ada', undefined, 409],
  ] as const)('%s %s %j is refused with %i', async (method, user, body, status) => {
    expect((await ask(hub.as('ada'), `${method} /api/organizations/acme/members/${user}`, body)).status).toBe(status);
    expect(await names('ada')).toEqual(['ada', 'bob', 'carl']);
    expect(audit.taken()).toEqual([]);
  });

  test('a removed member is removed from all resource groups', async () => {
    const { red } = await makeGroups('red');
    await setRole('bob', 'write', [{ id: red!, role: 'read' }]);
    await removeMember({ ...hub.as('ada'), ...acme, username: 'bob' });
    await addMember({ ...hub.as('ada'), ...acme, username: 'bob', role: 'read' });
    expect((await seen('ada')).find(({ user }) => user === 'bob')?.resourceGroups).toEqual([]);
  });
});

describe('changing a role', () => {
  test('replaces the whole list of groups, with an event for each change', async () => {
    const { red, blue } = await makeGroups('red', 'blue');
    await setRole('bob', 'read', [{ id: red!.toUpperCase(), role: 'write' }]);
    expect(audit.taken()).toEqual(['resource_group.add_users by ada', 'org.change_role by ada']);
    await setRole('bob', 'read', [
      { id: red!, role: 'admin' },
      { id: blue!, role: 'read' },
    ]);
    expect(audit.taken()).toEqual(['resource_group.change_role by ada', 'resource_group.add_users by ada']);
    await setRole('bob', 'read', [{ id: blue!, role: 'read' }]);
    expect(audit.taken()).toEqual(['resource_group.remove_users by ada']);
    await setRole('bob', 'read');
    await setRole('bob', 'read', []);
    expect(audit.taken()).toEqual(['resource_group.remove_users by ada']);
    const left = await hub.database.read.selectFrom('events').select('data').where('topic', '=', 'group').execute();
    expect(left.map(({ data }) => JSON.parse(data) as unknown)).toMatchObject([
      { action: 'remove_users', groupId: red },
      { action: 'remove_users', groupId: blue },
    ]);
    expect(await roleOf('bob')).toBe('read');
  });

  test('accepts custom roles of the organization', async () => {
    const { id } = await updateOrganization({ ...hub.as('ada'), ...acme, change: {} });
    const role = {
      org_id: id,
      name: 'auditor',
      base: 'read' as const,
      description: null,
      created_at: 0,
      name_key: 'auditor',
    };
    await hub.database.transaction((tx) => tx.insertInto('custom_roles').values(role).execute());
    await setRole('bob', 'auditor');
    expect((await seen('ada'))[1]).toMatchObject({ user: 'bob', role: 'auditor' });
    expect(await roleOf('bob')).toBe('read');
    await addMember({ ...hub.as('ada'), ...acme, username: 'zoe', role: 'auditor' });
    expect(await names('zoe')).toHaveLength(4);
  });

  test.each([
    ['an unknown role', 'bob', { role: 'king' }, 400],
    ['no role', 'bob', {}, 400],
    ['a malformed group', 'bob', { role: 'read', resourceGroups: [{ id: 'red', role: 'read' }] }, 400],
    [
      'no_access in a group',
      'bob',
      { role: 'read', resourceGroups: [{ id: '65a0c0ffee00000000000000', role: 'no_access' }] },
      400,
    ],
    [
      'an unknown role in a group',
      'bob',
      { role: 'read', resourceGroups: [{ id: '65a0c0ffee00000000000000', role: 'king' }] },
      400,
    ],
    [
      'a group twice',
      'bob',
      {
        role: 'read',
        resourceGroups: ['65a0c0ffee00000000000000', '65A0C0FFEE00000000000000'].map((id) => ({ id, role: 'read' })),
      },
      400,
    ],
    ['a missing group', 'bob', { role: 'read', resourceGroups: [{ id: 'f'.repeat(24), role: 'read' }] }, 403],
    [
      'a managed group',
      'bob',
      { role: 'read', resourceGroups: [{ id: '65a0c0ffee00000000000001', role: 'read' }] },
      403,
    ],
    ['somebody who is not a member', 'zoe', { role: 'read' }, 404],
    ['nobody', 'nobody', { role: 'read' }, 404],
    ['the only admin', 'ada', { role: 'write' }, 409],
  ] as const)('is refused with %s, and changes nothing', async (_, user, body, status) => {
    await makeGroups('red', 'managed');
    expect((await ask(hub.as('ada'), `PUT /api/organizations/acme/members/${user}/role`, body)).status).toBe(status);
    expect((await seen('ada')).map(({ role, resourceGroups }) => [role, resourceGroups])).toEqual([
      ['admin', []],
      ['write', []],
      ['no_access', []],
    ]);
  });

  test('needs a paid plan, and enterprise for groups', async () => {
    const { red } = await makeGroups('red');
    const attempt = async (groups?: { id: string; role: string }[]) =>
      (
        await ask(hub.as('ada'), 'PUT /api/organizations/acme/members/bob/role', {
          role: 'read',
          resourceGroups: groups,
        })
      ).status;
    await plan('free');
    expect(await attempt()).toBe(402);
    await plan('team');
    expect(await attempt()).toBe(200);
    expect(await attempt([{ id: red!, role: 'read' }])).toBe(402);
    await plan('enterprise');
    expect(await attempt([{ id: red!, role: 'read' }])).toBe(200);
  });
});

describe('an invitation', () => {
  const invite = (whom: { user: string } | { email: string }, role = 'read') =>
    createInvitation({ ...hub.as('ada'), ...acme, ...whom, role });

  test('of a user is listed, accepted, and then gone', async () => {
    const made = await invite({ user: 'zoe' }, 'contributor');
    expect(made).toMatchObject({ user: 'zoe', role: 'contributor', invitedBy: 'ada' });
    expect(await collect(listInvitations({ ...hub.as('ada'), ...acme }))).toEqual([made]);
    expect(await collect(listOwnInvitations(hub.as('zoe')))).toEqual([
      { ...made, organization: { name: 'acme', fullname: 'acme' } },
    ]);
    await expect(acceptInvitation({ ...hub.as('carl'), invitationId: made.id })).rejects.toMatchObject({ status: 404 });
    await acceptInvitation({ ...hub.as('zoe'), invitationId: made.id });
    expect(await roleOf('zoe')).toBe('contributor');
    expect(audit.taken()).toEqual(['org.invite_user by ada', 'org.invite.accept by zoe']);
    expect(await collect(listInvitations({ ...hub.as('ada'), ...acme }))).toEqual([]);
    await expect(acceptInvitation({ ...hub.as('zoe'), invitationId: made.id })).rejects.toMatchObject({ status: 404 });
  });

  test('by mail is for the account with that confirmed address, and for anybody with its secret', async () => {
    const { id, secret, url, expiresAt } = await invite({ email: 'ZOE@elsewhere.org' });
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(url).toBe(`${hub.url}/organizations#invitation=${id}.${secret}`);
    expect(Date.parse(expiresAt ?? '')).toBe(hub.clock.now() + 7 * DAY);
    const listed = await collect(listInvitations({ ...hub.as('ada'), ...acme }));
    expect(listed).toEqual([expect.objectContaining({ id, email: 'zoe@elsewhere.org', expiresAt, invitedBy: 'ada' })]);
    expect(JSON.stringify([listed, await collect(listOwnInvitations(hub.as('zoe')))])).not.toContain(secret);
    expect(await collect(listOwnInvitations(hub.as('carl')))).toEqual([]);
    await expect(acceptInvitation({ ...hub.as('carl'), invitationId: id })).rejects.toMatchObject({ status: 404 });
    expect(await collect(listOwnInvitations(hub.as('zoe')))).toHaveLength(1);
    await acceptInvitation({ ...hub.as('zoe'), invitationId: id });
    expect(await roleOf('zoe')).toBe('read');
    expect(audit.taken()).toEqual(['org.invite.email by ada', 'org.invite.accept by zoe']);
  });

  test('by mail can be accepted with its secret once, by anybody', async () => {
    const { id: invitationId, secret = '' } = await invite({ email: 'new@elsewhere.org' }, 'contributor');
    const accept = (user: string, given?: string) =>
      acceptInvitation({ ...hub.as(user), invitationId, secret: given }).then(
        () => 200,
        (error: { status: number }) => error.status,
      );
    const wrong = [undefined, '', 'x', `${secret}x`, secret.slice(1), secret.toUpperCase(), 'ä'.repeat(43)];
    for (const given of wrong) expect([given, await accept('zoe', given)]).toEqual([given, 404]);
    expect(await accept('zoe', secret)).toBe(200);
    expect(await roleOf('zoe')).toBe('contributor');
    expect(await accept('zoe', secret)).toBe(404);
    expect(audit.taken()).toEqual(['org.invite.email by ada', 'org.invite.accept by zoe']);
  });

  test('by mail expires after seven days, and then a new one can be created', async () => {
    const first = await invite({ email: 'zoe@elsewhere.org' });
    hub.clock.advance(7 * DAY);
    const accept = ({ id, secret }: typeof first) =>
      acceptInvitation({ ...hub.as('zoe'), invitationId: id, secret }).catch((error: unknown) => error);
    expect(await collect(listOwnInvitations(hub.as('zoe')))).toEqual([]);
    expect(await accept(first)).toMatchObject({
      status: 409,
      message: expect.stringContaining('This invitation has expired; ask for another one'),
    });
    const second = await invite({ email: 'ZOE@elsewhere.org' }, 'write');
    expect([second.id, second.secret]).not.toEqual([first.id, first.secret]);
    expect((await collect(listInvitations({ ...hub.as('ada'), ...acme }))).map(({ id }) => id)).toEqual([second.id]);
    expect(await accept(first)).toMatchObject({ status: 404 });
    expect(await accept(second)).toMatchObject({ success: true });
    expect(await roleOf('zoe')).toBe('write');
  });

  test('is withdrawn by admins', async () => {
    const { id } = await invite({ user: 'zoe' });
    await expect(deleteInvitation({ ...hub.as('bob'), ...acme, invitationId: id })).rejects.toMatchObject({
      status: 403,
    });
    await deleteInvitation({ ...hub.as('ada'), ...acme, invitationId: id });
    await expect(acceptInvitation({ ...hub.as('zoe'), invitationId: id })).rejects.toMatchObject({ status: 404 });
    await expect(deleteInvitation({ ...hub.as('ada'), ...acme, invitationId: id })).rejects.toMatchObject({
      status: 404,
    });
  });

  test('that is open when its user joins otherwise, or leaves, brings nobody back', async () => {
    const accept = async (invitationId: string, secret?: string) =>
      (await ask(hub.as('zoe'), `POST /api/settings/invitations/${invitationId}/accept`, { secret })).status;
    const byName = await invite({ user: 'zoe' });
    const byMail = await invite({ email: 'zoe@elsewhere.org' }, 'admin');
    await addMember({ ...hub.as('ada'), ...acme, username: 'zoe', role: 'read' });
    expect(await collect(listInvitations({ ...hub.as('ada'), ...acme }))).toEqual([]);
    const whileMember = await invite({ email: 'Zoe@elsewhere.org' }, 'admin');
    await removeMember({ ...hub.as('ada'), ...acme, username: 'zoe' });
    for (const { id, secret } of [byName, byMail, whileMember])
      expect([await accept(id), await accept(id, secret)]).toEqual([404, 404]);
    expect(await roleOf('zoe')).toBeUndefined();
    // An invitation that follows is another decision.
    const { id } = await invite({ user: 'zoe' });
    expect(await accept(id)).toBe(200);
  });

  test.each([
    [{ user: 'bob', role: 'read' }, 409],
    [{ user: 'nobody', role: 'read' }, 404],
    [{ user: 'zoe', role: 'king' }, 400],
    [{ user: 'zoe', email: 'zoe@elsewhere.org', role: 'read' }, 400],
    [{ role: 'read' }, 400],
    [{ email: 'zoe', role: 'read' }, 400],
  ])('%j is refused with %i', async (body, status) => {
    expect((await ask(hub.as('ada'), 'POST /api/organizations/acme/invitations', body)).status).toBe(status);
  });

  test('of a user is not created twice', async () => {
    await invite({ user: 'zoe' });
    await expect(invite({ user: 'zoe' }, 'admin')).rejects.toMatchObject({ status: 409 });
  });
});

test('a user with an e-mail address in an admitted domain may join', async () => {
  const join = (user: string) => joinOrganization({ ...hub.as(user), ...acme });
  await expect(join('zoe')).rejects.toMatchObject({ status: 403 });
  await updateOrganization({ ...hub.as('ada'), ...acme, change: { joinDomains: ['elsewhere.org'] } });
  audit.taken();
  await expect(join('admin')).rejects.toMatchObject({ status: 401 });
  expect(await join('zoe')).toEqual({ success: true });
  await join('zoe');
  expect(audit.taken()).toEqual(['org.join.from_domain by zoe']);
  expect(await roleOf('zoe')).toBe('read');
});
