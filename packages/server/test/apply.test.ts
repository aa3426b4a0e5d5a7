import { applyHub } from '@moonbase/client/admin';
import { createDiscussion } from '@moonbase/client/discussions';
import { getOrganizationOverview, getUserOverview, whoAmI } from '@moonbase/client/profiles';
import { createRepo, updateRepoSettings } from '@moonbase/client/repositories';
import { describe, expect, test } from 'vitest';
import { ask } from './ask.ts';
import { eavesdrop } from './eavesdrop.ts';
import { type Connection, person, startHub, type TestHub, tokenOf } from './harness.ts';

type AppliedDocument = Parameters<TestHub['apply']>[0];
type Report = Awaited<ReturnType<typeof applyHub>>;

const apply = (hub: TestHub, document: AppliedDocument): Promise<Report> => applyHub({ ...hub.admin, document });

/** Returns the counts of a report without zeros: `{ users: { created: 1 } }`. */
function counted(report: Report): Record<string, Record<string, number>> {
  const nonZero = Object.entries(report).flatMap(([kind, changes]): [string, [string, number][]][] =>
    Array.isArray(changes) ? [] : [[kind, Object.entries(changes).filter(([, count]) => count > 0)]],
  );
  return Object.fromEntries(
    nonZero.filter(([, changes]) => changes.length > 0).map(([kind, changes]) => [kind, Object.fromEntries(changes)]),
  );
}

/** Returns the faults of a refused document as `path: message`. */
async function faultsOf(hub: TestHub, document: unknown, caller: Connection = hub.admin): Promise<string[]> {
  const answer = await ask(caller, 'PUT /api/admin/hub', document);
  const { issues } = (await answer.json()) as { issues?: { path: string; message: string }[] };
  expect(answer.status).toBe(400);
  return (issues ?? []).map(({ path, message }) => `${path}: ${message}`);
}

const statusOf = async (answer: Promise<Response>) => (await answer).status;
const rolesOf = async (caller: Connection) =>
  Object.fromEntries((await whoAmI(caller)).orgs.map((org) => [org.name, org.roleInOrg]));

const CI_SCOPES = {
  scoped: [{ entity: { _id: '65a0c0ffee00000000000001', type: 'org' }, permissions: ['repo.write'] }],
};
const EVERYTHING = {
  users: [
    {
      name: 'alice',
      fullname: 'Alice Liddell',
      email: 'alice@example.com',
      pro: true,
      avatarUrl: 'https://example.com/alice.png',
      tokens: [
        { name: 'test', role: 'write', token: tokenOf('alice') },
        { name: 'reading', role: 'read', token: 'hf_readingOfAlice' },
        {
          name: 'ci',
          role: 'fineGrained',
          token: 'hf_fineGrainedOfAlice',
          scopes: CI_SCOPES,
        },
      ],
    },
    { name: 'bob', admin: true, tokens: [{ name: 'test', token: tokenOf('bob') }] },
  ],
  organizations: [
    {
      name: 'acme',
      fullname: 'Acme Inc.',
      plan: 'enterprise',
      avatarUrl: 'https://example.com/acme.png',
      members: [{ user: 'alice', role: 'admin' }, { user: 'bob' }],
    },
  ],
  repos: [
    { name: 'acme/model', private: true },
    { type: 'dataset', name: 'alice/tables' },
    { type: 'bucket', name: 'alice/box' },
  ],
  papers: [
    {
      id: '2401.01234',
      title: 'On moons',
      summary: 'They are round.',
      authors: [{ name: 'Alice Liddell', user: 'alice' }, { name: 'Somebody Else' }],
    },
  ],
  posts: [{ slug: 'hello', author: 'alice', title: 'Hello' }],
  articles: [{ slug: 'long-read', author: 'bob', title: 'A long read', canonical: true }],
} as const satisfies AppliedDocument;

const ENTRY_COUNTS = { users: 2, tokens: 4, organizations: 1, members: 2, repos: 3, papers: 1, posts: 1, articles: 1 };
const all = (change: string) =>
  Object.fromEntries(Object.entries(ENTRY_COUNTS).map(([kind, n]) => [kind, { [change]: n }]));

describe('a document with every kind of entry', () => {
  test('creates everything', async () => {
    await using hub = await startHub();
    expect(counted(await apply(hub, EVERYTHING))).toEqual(all('created'));
    const alice = await whoAmI(hub.as('alice'));
    expect(alice).toMatchObject({
      fullname: 'Alice Liddell',
      email: 'alice@example.com',
      isPro: true,
      avatarUrl: 'https://example.com/alice.png',
      orgs: [{ name: 'acme', fullname: 'Acme Inc.', plan: 'enterprise', roleInOrg: 'admin' }],
    });
    expect((await whoAmI(hub.with('hf_readingOfAlice'))).auth.accessToken?.role).toBe('read');
    expect((await whoAmI(hub.with('hf_fineGrainedOfAlice'))).auth.accessToken).toMatchObject({
      role: 'fineGrained',
      fineGrained: CI_SCOPES,
    });
    expect(await rolesOf(hub.as('bob'))).toEqual({ acme: 'read' });
    expect(await getUserOverview({ ...hub.as('bob'), username: 'alice' })).toMatchObject({
      numDatasets: 1,
      numBuckets: 1,
    });
    const asMember = await getOrganizationOverview({ ...hub.as('bob'), name: 'acme' });
    const asStranger = await getOrganizationOverview({ ...hub.admin, name: 'acme' });
    expect([asMember.numModels, asStranger.numModels]).toEqual([1, 0]);
  });

  test('changes nothing the second time, not even dates, and records no events', async () => {
    await using hub = await startHub();
    await apply(hub, EVERYTHING);
    await using listener = await eavesdrop(hub, hub.as('alice'), { type: 'user', name: 'alice' });
    await listener.payloads();
    const before = await whoAmI(hub.as('alice'));
    hub.clock.advance(1000);
    const report = await apply(hub, EVERYTHING);
    expect(counted(report)).toEqual(all('unchanged'));
    expect(report.newTokens).toEqual([]);
    expect(await whoAmI(hub.as('alice'))).toEqual(before);
    expect(await listener.payloads()).toEqual([]);
  });

  test('changes nothing if it contains only names', async () => {
    await using hub = await startHub();
    await apply(hub, EVERYTHING);
    const before = await whoAmI(hub.as('alice'));
    const bare: AppliedDocument = {
      users: [{ name: 'alice' }, { name: 'BOB' }],
      organizations: [{ name: 'Acme' }],
      repos: [{ name: 'ACME/Model' }],
      papers: [{ id: '2401.01234' }],
      posts: [{ slug: 'hello', author: 'Alice' }],
      articles: [{ slug: 'long-read', author: 'bob' }],
    };
    const unchanged = { users: 2, organizations: 1, repos: 1, papers: 1, posts: 1, articles: 1 };
    expect(counted(await apply(hub, bare))).toEqual(
      Object.fromEntries(Object.entries(unchanged).map(([kind, count]) => [kind, { unchanged: count }])),
    );
    expect(await whoAmI(hub.as('alice'))).toEqual(before);
  });

  test('updates each entry to its new values', async () => {
    await using hub = await startHub();
    await apply(hub, EVERYTHING);
    const report = await apply(hub, {
      users: [
        {
          name: 'alice',
          fullname: 'A. Liddell',
          email: 'a@example.com',
          pro: false,
          avatarUrl: 'https://example.com/a.png',
          tokens: [
            { name: 'test', token: 'hf_anotherOfAlice' },
            { name: 'reading', role: 'write' },
          ],
        },
        { name: 'bob', admin: false },
      ],
      organizations: [
        {
          name: 'acme',
          fullname: 'Acme',
          plan: 'free',
          members: [
            { user: 'bob', role: 'write' },
            { user: 'admin', role: 'contributor' },
          ],
        },
      ],
      repos: [{ name: 'acme/model', private: false }],
      papers: [{ id: '2401.01234', authors: [{ name: 'Alice Liddell' }] }],
      posts: [{ slug: 'hello', author: 'alice', title: 'Hello again' }],
      articles: [{ slug: 'long-read', author: 'bob', canonical: false }],
    });
    expect(counted(report)).toEqual({
      users: { updated: 2 },
      tokens: { updated: 2 },
      organizations: { updated: 1 },
      members: { created: 1, updated: 1 },
      repos: { updated: 1 },
      papers: { updated: 1 },
      posts: { updated: 1 },
      articles: { updated: 1 },
    });
    expect(await whoAmI(hub.with('hf_anotherOfAlice'))).toMatchObject({
      fullname: 'A. Liddell',
      email: 'a@example.com',
      isPro: false,
      avatarUrl: 'https://example.com/a.png',
    });
    await expect(whoAmI(hub.as('alice'))).rejects.toMatchObject({ status: 401 });
    expect((await whoAmI(hub.with('hf_readingOfAlice'))).auth.accessToken?.role).toBe('write');
    expect(await statusOf(ask(hub.as('bob'), 'PUT /api/admin/hub', {}))).toBe(403);
    expect(await rolesOf(hub.as('bob'))).toEqual({ acme: 'write' });
    expect(await getOrganizationOverview({ ...hub.admin, name: 'acme' })).not.toHaveProperty('plan');
  });
});

describe('an entry that a document marks as absent', () => {
  test('is deleted, for each kind, and may already be missing the second time', async () => {
    await using hub = await startHub();
    await apply(hub, EVERYTHING);
    const document: AppliedDocument = {
      users: [
        { name: 'bob', state: 'absent' },
        { name: 'alice', tokens: [{ name: 'reading', state: 'absent' }] },
      ],
      organizations: [{ name: 'acme', state: 'absent' }],
      repos: [{ type: 'dataset', name: 'alice/tables', state: 'absent' }],
      papers: [{ id: '2401.01234', state: 'absent' }],
      posts: [{ slug: 'hello', author: 'alice', state: 'absent' }],
      articles: [{ slug: 'long-read', author: 'bob', state: 'absent' }],
    };
    expect(counted(await apply(hub, document))).toEqual({
      users: { removed: 1, unchanged: 1 },
      tokens: { removed: 1 },
      organizations: { removed: 1 },
      repos: { removed: 1 },
      papers: { removed: 1 },
      posts: { removed: 1 },
      articles: { removed: 1 },
    });
    expect(counted(await apply(hub, document))).toEqual({ users: { unchanged: 1 } });
    await expect(whoAmI(hub.as('bob'))).rejects.toMatchObject({ status: 401 });
    await expect(whoAmI(hub.with('hf_readingOfAlice'))).rejects.toMatchObject({ status: 401 });
    expect(await rolesOf(hub.as('alice'))).toEqual({});
    await expect(getOrganizationOverview({ ...hub.admin, name: 'acme' })).rejects.toMatchObject({ status: 404 });
  });

  test('is deleted with everything that belongs to it, with an event for each repository', async () => {
    await using hub = await startHub();
    await hub.people('alice', 'bob');
    await apply(hub, {
      organizations: [{ name: 'acme', members: [{ user: 'alice', role: 'admin' }] }],
      repos: [{ name: 'acme/one' }, { type: 'space', name: 'acme/two' }, { name: 'bob/three' }],
    });
    await using onAcme = await eavesdrop(hub, hub.as('alice'), { type: 'org', name: 'acme' });
    await using onBob = await eavesdrop(hub, hub.as('alice'), { type: 'user', name: 'bob' });
    await onAcme.payloads();
    await onBob.payloads();
    await apply(hub, { organizations: [{ name: 'acme', state: 'absent' }], users: [{ name: 'bob', state: 'absent' }] });
    const told = async (listener: typeof onAcme) =>
      (await listener.payloads()).map(({ event, repo }) => `${event.scope}/${event.action} ${repo.name}`);
    expect(await told(onBob)).toEqual(['repo/delete bob/three']);
    expect(await told(onAcme)).toEqual(['repo/delete acme/one', 'repo/delete acme/two']);
    expect(await statusOf(ask(hub.as('alice'), 'PUT /api/models/acme/one/settings', {}))).toBe(404);
  });

  test('is deleted after everything else was created: a successor may be named in the same document', async () => {
    await using hub = await startHub();
    await hub.people('alice', 'bob');
    await apply(hub, { organizations: [{ name: 'acme', members: [{ user: 'alice', role: 'admin' }] }] });
    const report = await apply(hub, {
      users: [{ name: 'alice', state: 'absent' }],
      organizations: [{ name: 'acme', members: [{ user: 'bob', role: 'admin' }] }],
    });
    expect(counted(report)).toMatchObject({ users: { removed: 1 }, members: { created: 1 } });
    expect(await rolesOf(hub.as('bob'))).toEqual({ acme: 'admin' });
  });

  test('may be a member', async () => {
    await using hub = await startHub();
    await hub.people('alice', 'bob');
    const members = (bob: object) => ({
      organizations: [
        {
          name: 'acme',
          members: [
            { user: 'alice', role: 'admin' as const },
            { user: 'bob', ...bob },
          ],
        },
      ],
    });
    await apply(hub, members({ role: 'write' }));
    expect(counted(await apply(hub, members({ state: 'absent' })))).toMatchObject({
      members: { unchanged: 1, removed: 1 },
    });
    expect(await rolesOf(hub.as('bob'))).toEqual({});
  });

  test('may be created again under the same name', async () => {
    await using hub = await startHub();
    await hub.people('alice', 'bob');
    const { id } = await whoAmI(hub.as('bob'));
    await apply(hub, { users: [{ name: 'bob', state: 'absent' }] });
    await hub.people('bob');
    expect((await whoAmI(hub.as('bob'))).id).not.toBe(id);
  });
});

test('changes made through a document reach watchers like any other change', async () => {
  await using hub = await startHub();
  await hub.people('alice');
  await using listener = await eavesdrop(hub, hub.as('alice'), { type: 'user', name: 'alice' });
  await apply(hub, { repos: [{ name: 'alice/letters' }] });
  await apply(hub, { repos: [{ name: 'alice/letters', private: true }] });
  await apply(hub, { repos: [{ name: 'alice/letters', state: 'absent' }] });
  expect(await listener.payloads()).toMatchObject([
    { event: { scope: 'repo', action: 'create' }, repo: { name: 'alice/letters', private: false } },
    { event: { scope: 'repo.config', action: 'update' }, updatedConfig: { private: true } },
    { event: { scope: 'repo', action: 'delete' }, repo: { private: true } },
  ]);
});

test('repository settings that the document cannot name stay as they are', async () => {
  await using hub = await startHub();
  await hub.people('alice');
  const letters = { ...hub.as('alice'), type: 'model', repo: 'alice/letters' } as const;
  await createRepo(letters);
  await updateRepoSettings({ ...letters, settings: { gated: 'auto', discussionsDisabled: true } });
  await apply(hub, { repos: [{ name: 'alice/letters', private: true }] });
  expect(await updateRepoSettings({ ...letters, settings: {} })).toMatchObject({
    private: true,
    gated: 'auto',
    discussionsDisabled: true,
  });
});

describe('access tokens', () => {
  test('given in clear work at once; generated ones are returned once', async () => {
    await using hub = await startHub();
    const document: AppliedDocument = {
      users: [
        {
          name: 'alice',
          tokens: [{ name: 'given', token: tokenOf('alice') }, { name: 'made' }, { name: 'more', role: 'read' }],
        },
      ],
    };
    const { newTokens } = await apply(hub, document);
    expect(newTokens).toEqual([
      { user: 'alice', name: 'made', token: expect.stringMatching(/^hf_[0-9A-Za-z]{32,}$/) },
      { user: 'alice', name: 'more', token: expect.stringMatching(/^hf_[0-9A-Za-z]{32,}$/) },
    ]);
    const whose = async (token: string) => (await whoAmI(hub.with(token))).auth.accessToken;
    expect(await whose(tokenOf('alice'))).toMatchObject({ displayName: 'given', role: 'write' });
    expect(await whose(newTokens[0]?.token ?? '')).toMatchObject({ displayName: 'made', role: 'write' });
    expect(await whose(newTokens[1]?.token ?? '')).toMatchObject({ displayName: 'more', role: 'read' });
    expect((await apply(hub, document)).newTokens).toEqual([]);
    expect(await whose(newTokens[0]?.token ?? '')).toMatchObject({ displayName: 'made' });
  });

  test('of another user, or twice in one document, are refused', async () => {
    await using hub = await startHub();
    await hub.people('alice');
    const withToken = (name: string, token: string) => ({ name, tokens: [{ name: 'test', token }] });
    expect(await faultsOf(hub, { users: [withToken('bob', tokenOf('alice'))] })).toEqual([
      'body.users.0.tokens.0.token: is in use as another access token',
    ]);
    expect(
      await faultsOf(hub, { users: [withToken('bob', 'hf_twiceTwice'), withToken('carol', 'hf_twiceTwice')] }),
    ).toEqual(['body.users.1.tokens.0.token: is in use as another access token']);
  });
});

test('an access token that is no longer fine-grained loses its scopes', async () => {
  await using hub = await startHub();
  const tokens = (role: 'fineGrained' | 'write') => ({
    users: [{ name: 'alice', tokens: [{ name: 'ci', role, token: tokenOf('alice'), scopes: CI_SCOPES }] }],
  });
  await apply(hub, tokens('fineGrained'));
  expect((await whoAmI(hub.as('alice'))).auth.accessToken?.fineGrained).toEqual(CI_SCOPES);
  await apply(hub, tokens('write'));
  expect((await whoAmI(hub.as('alice'))).auth.accessToken).toMatchObject({ role: 'write' });
  expect((await whoAmI(hub.as('alice'))).auth.accessToken?.fineGrained).toBeUndefined();
});

test('roles that the document does not name are unchanged', async () => {
  await using hub = await startHub();
  const token = { name: 'test', token: tokenOf('alice') };
  await apply(hub, {
    users: [{ name: 'alice', tokens: [{ ...token, role: 'read' }] }],
    organizations: [{ name: 'acme', members: [{ user: 'alice', role: 'admin' }] }],
  });
  const again = {
    users: [{ name: 'alice', tokens: [token] }],
    organizations: [{ name: 'acme', members: [{ user: 'alice' }] }],
  };
  expect(counted(await apply(hub, again))).toEqual({
    users: { unchanged: 1 },
    tokens: { unchanged: 1 },
    organizations: { unchanged: 1 },
    members: { unchanged: 1 },
  });
  expect((await whoAmI(hub.as('alice'))).auth.accessToken?.role).toBe('read');
  expect(await rolesOf(hub.as('alice'))).toEqual({ acme: 'admin' });
});

test('an administrator cannot delete the access token of the same request', async () => {
  await using hub = await startHub();
  const document = { users: [{ name: 'admin', tokens: [{ name: 'first start', state: 'absent' }] }] };
  expect(await faultsOf(hub, document)).toEqual(['body.users.0.tokens.0: is the token that you are calling with']);
  await whoAmI(hub.admin);
});

describe('a document with errors', () => {
  test('lists each of them with its path, and changes nothing', async () => {
    await using hub = await startHub();
    await hub.people('alice');
    await apply(hub, { organizations: [{ name: 'acme', members: [{ user: 'alice', role: 'admin' }] }] });
    await using listener = await eavesdrop(hub, hub.as('alice'), { type: 'user', name: 'alice' });
    const faults = await faultsOf(hub, {
      users: [{ name: 'good', tokens: [{ name: 'test', token: tokenOf('good') }] }, { name: 'a--b' }, { name: 'acme' }],
      organizations: [
        { name: 'alice' },
        { name: 'settings' },
        { name: 'fine', members: [{ user: 'nobody' }, { user: 'acme' }] },
      ],
      repos: [{ name: 'alice/letters' }, { name: 'nobody/letters' }, { name: 'alice/a..b' }],
      papers: [{ id: '2401.01234', authors: [{ name: 'A' }, { name: 'B', user: 'nobody' }] }],
      posts: [{ slug: 'hello', author: 'nobody' }],
      articles: [{ slug: 'hello', author: 'acme' }],
    });
    expect(faults).toEqual([
      'body.users.1.name: must be 2 to 42 letters, digits and single dashes inside',
      'body.users.2.name: is the name of an organization',
      'body.organizations.0.name: is the name of a user',
      'body.organizations.1.name: is reserved',
      'body.organizations.2.members.0.user: there is no user named nobody',
      'body.organizations.2.members.1.user: there is no user named acme',
      'body.repos.1.name: there is no user or organization named nobody',
      'body.repos.2.name: must not contain ..',
      'body.papers.0.authors.1.user: there is no user named nobody',
      'body.posts.0.author: there is no user named nobody',
      'body.articles.0.author: there is no user named acme',
    ]);
    await expect(whoAmI(hub.as('good'))).rejects.toMatchObject({ status: 401 });
    await expect(getOrganizationOverview({ ...hub.admin, name: 'fine' })).rejects.toMatchObject({ status: 404 });
    expect(await listener.payloads()).toEqual([]);
    expect(counted(await apply(hub, { papers: [{ id: '2401.01234' }] }))).toEqual({ papers: { created: 1 } });
  });

  test('in its form is reported in the same way', async () => {
    await using hub = await startHub();
    const faults = await faultsOf(hub, {
      users: [{ fullname: 'Nameless' }, { name: 'alice', email: 'nonsense', tokens: [{ name: 'x', token: 'secret' }] }],
      organizations: [{ name: 'acme', plan: 'gold', members: [{ user: 'alice', role: 7 }] }],
      repos: [{ name: 'letters' }, { name: 'alice/letters', type: 'paper' }],
      papers: [{ id: '24.1' }],
      posts: [{ slug: 'a b', author: 'alice' }],
    });
    expect(faults.map((fault) => fault.split(':')[0])).toEqual([
      'body.users.0.name',
      'body.users.1.email',
      'body.users.1.tokens.0.token',
      'body.organizations.0.plan',
      'body.organizations.0.members.0.role',
      'body.repos.0.name',
      'body.repos.1.type',
      'body.papers.0.id',
      'body.posts.0.slug',
    ]);
    expect(faults.join('\n')).not.toContain('secret');
  });

  test('in a single entry changes nothing in any other', async () => {
    await using hub = await startHub();
    await faultsOf(hub, { ...EVERYTHING, posts: [{ slug: 'hello', author: 'nobody' }] });
    expect(counted(await apply(hub, EVERYTHING))).toEqual(all('created'));
  });
});

describe('an organization', () => {
  test('created without an admin gets the caller as admin, also the second time', async () => {
    await using hub = await startHub();
    await hub.people('alice');
    const document: AppliedDocument = {
      organizations: [{ name: 'acme', members: [{ user: 'alice', role: 'write' }] }],
    };
    await apply(hub, document);
    expect(await rolesOf(hub.admin)).toEqual({ acme: 'admin' });
    expect(counted(await apply(hub, document))).toEqual({
      organizations: { unchanged: 1 },
      members: { unchanged: 1 },
    });
    expect(await rolesOf(hub.admin)).toEqual({ acme: 'admin' });
    expect(await rolesOf(hub.as('alice'))).toEqual({ acme: 'write' });
  });

  test('created with an admin does not get the caller as admin', async () => {
    await using hub = await startHub();
    await hub.people('alice');
    await apply(hub, { organizations: [{ name: 'acme', members: [{ user: 'alice', role: 'admin' }] }] });
    expect(await rolesOf(hub.admin)).toEqual({});
  });

  test.each([
    ['removed', { user: 'alice', state: 'absent' }],
    ['given a lesser role', { user: 'alice', role: 'write' }],
    ['locked out', { user: 'alice', role: 'no_access' }],
  ] as const)('keeps its last admin: it cannot be %s', async (_, member) => {
    await using hub = await startHub();
    await hub.people('alice', 'bob');
    const members = (...list: { user: string; role?: 'admin' | 'write' | 'no_access'; state?: 'absent' }[]) => ({
      organizations: [{ name: 'acme', members: list }],
    });
    await apply(hub, members({ user: 'alice', role: 'admin' }));
    expect(await faultsOf(hub, members(member))).toEqual([
      'body.organizations.0.members: would leave the organization without an admin',
    ]);
    expect(await rolesOf(hub.as('alice'))).toEqual({ acme: 'admin' });
    expect(await rolesOf(hub.admin)).toEqual({});
    await apply(hub, members(member, { user: 'bob', role: 'admin' }));
    expect(await rolesOf(hub.as('bob'))).toEqual({ acme: 'admin' });
  });

  test('keeps its last admin: that user cannot be removed, but both can together', async () => {
    await using hub = await startHub();
    await hub.people('alice');
    await apply(hub, { organizations: [{ name: 'acme', members: [{ user: 'alice', role: 'admin' }] }] });
    const withoutAlice = { users: [{ name: 'alice', state: 'absent' as const }] };
    expect(await faultsOf(hub, withoutAlice)).toEqual(['body.users.0: is the only admin of acme']);
    expect(await rolesOf(hub.as('alice'))).toEqual({ acme: 'admin' });
    const report = await apply(hub, { ...withoutAlice, organizations: [{ name: 'acme', state: 'absent' }] });
    expect(counted(report)).toEqual({ users: { removed: 1 }, organizations: { removed: 1 } });
  });

  test('keeps an admin when two of them are removed at once', async () => {
    await using hub = await startHub();
    await hub.people('alice', 'bob');
    await apply(hub, {
      organizations: [
        {
          name: 'acme',
          members: [
            { user: 'alice', role: 'admin' },
            { user: 'bob', role: 'admin' },
          ],
        },
      ],
    });
    const both = ['alice', 'bob'].map((name) => ({ name, state: 'absent' }));
    expect(await faultsOf(hub, { users: both })).toEqual([expect.stringMatching(/is the only admin of acme$/)]);
    expect(await rolesOf(hub.as('alice'))).toEqual({ acme: 'admin' });
    expect(await rolesOf(hub.as('bob'))).toEqual({ acme: 'admin' });
  });
});

describe('the site administrator', () => {
  test('is the only one who may apply a document, and only with a write token', async () => {
    await using hub = await startHub();
    await hub.people('alice');
    const scopes = { scoped: [], global: ['discussion.write', 'repo.write'] };
    await apply(hub, {
      users: [
        {
          name: 'admin',
          tokens: [
            { name: 'reading', role: 'read', token: 'hf_readingOfAdmin' },
            { name: 'fine', role: 'fineGrained', token: 'hf_fineGrainedOfAdmin', scopes },
          ],
        },
      ],
    });
    const fill = (caller: Partial<Connection>) =>
      statusOf(ask({ hubUrl: hub.url, ...caller }, 'PUT /api/admin/hub', {}));
    expect(await fill({})).toBe(401);
    expect(await fill(hub.as('alice'))).toBe(403);
    expect(await fill(hub.with('hf_readingOfAdmin'))).toBe(403);
    expect(await fill(hub.with('hf_fineGrainedOfAdmin'))).toBe(403);
    expect(await fill(hub.admin)).toBe(200);
  });

  test('may appoint others, but neither remove nor demote themselves', async () => {
    await using hub = await startHub();
    await apply(hub, { users: [{ ...person('alice'), admin: true }] });
    const itself = (change: object) => ({ users: [{ name: 'alice', ...change }] });
    expect(await faultsOf(hub, itself({ admin: false }), hub.as('alice'))).toEqual([
      'body.users.0.admin: you cannot take this right from yourself',
    ]);
    expect(await faultsOf(hub, itself({ state: 'absent' }), hub.as('alice'))).toEqual([
      'body.users.0: you cannot remove yourself',
    ]);
    await apply(hub, itself({ admin: false }));
    expect(await statusOf(ask(hub.as('alice'), 'PUT /api/admin/hub', {}))).toBe(403);
  });
});

test('a document of 2 MiB is accepted, while any other body of that size is refused', async () => {
  await using hub = await startHub();
  await hub.people('alice');
  const summary = 'x'.repeat(65536);
  const papers = Array.from({ length: 33 }, (_, at) => ({ id: `2401.${10000 + at}`, summary }));
  expect(JSON.stringify({ papers }).length).toBeGreaterThan(2 * 1024 * 1024);
  expect(counted(await apply(hub, { papers }))).toEqual({ papers: { created: 33 } });
  const body = { fromRepo: 'alice/letters', toRepo: `alice/${'x'.repeat(2 * 1024 * 1024)}` };
  expect(await statusOf(ask(hub.as('alice'), 'POST /api/repos/move', body))).toBe(413);
});

test('discussions of a deleted user remain, and the repository keeps its count', async () => {
  await using hub = await startHub();
  await hub.people('alice', 'bob');
  await createRepo({ ...hub.as('alice'), repo: 'alice/letters' });
  const discuss = (name: string) =>
    createDiscussion({ ...hub.as(name), type: 'model', repo: 'alice/letters', title: 'Hello', description: '' });
  await discuss('bob');
  await apply(hub, { users: [{ name: 'bob', state: 'absent' }] });
  expect((await discuss('alice')).num).toBe(2);
});
