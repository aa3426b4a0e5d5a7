import { exportAuditLog, getAuditLogHead, listAuditLog } from '@moonbase/client/audit-log';
import { createRepo, deleteRepo, moveRepo, updateRepoSettings } from '@moonbase/client/repositories';
import { PLANS } from '@moonbase/contract/primitives';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { linkHash, NO_HASH, sealedText } from '../src/audit-log/chain.ts';
import { ask } from './ask.ts';
import { collect, person, startHub, type TestHub } from './harness.ts';

const ORG = { name: 'acme' };

async function startWithAcme(settings = {}) {
  const hub = await startHub(settings);
  await hub.apply({
    users: ['ada', 'bob', 'eve'].map(person),
    organizations: [{ ...ORG, plan: 'team', members: [{ user: 'ada', role: 'admin' }] }],
  });
  return hub;
}

const messages = (events: { message: string }[]) => events.map(({ message }) => message);

describe('the log of an organization', () => {
  test('lists, newest first, who did what, from where and with which token', async () => {
    await using hub = await startWithAcme();
    const ada = hub.as('ada');
    hub.clock.advance(1500);
    const { id } = await createRepo({ ...ada, repo: 'acme/bert', private: true });
    const [event, ...before] = await exportAuditLog({ ...ada, ...ORG });
    expect(messages(before)).toEqual(['Added ada with the role admin', 'Created the organization acme']);
    expect(event).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      createdAt: '2026-01-05T12:00:01.500Z',
      type: 'repo.create',
      message: 'Created the model acme/bert',
      data: { repo: { _id: id, type: 'model', name: 'acme/bert' }, private: true },
      ip: '127.0.0.1',
      userAgent: 'node',
      author: {
        _id: expect.stringMatching(/^[0-9a-f]{24}$/),
        user: 'ada',
        avatarUrl: expect.stringContaining(hub.url),
        type: 'user',
      },
      token: { type: 'access_token', id: expect.any(String), role: 'write', last4: 'da00', deleted: false },
      seq: 3,
      prevHash: before[0]?.hash,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  test('is a chain of hashes that anybody can verify', async () => {
    await using hub = await startWithAcme();
    for (const name of ['a1', 'b1', 'c1']) await createRepo({ ...hub.as('ada'), repo: `acme/${name}` });
    const log = (await exportAuditLog({ ...hub.as('ada'), ...ORG })).reverse();
    let previous = NO_HASH;
    for (const [at, event] of log.entries()) {
      expect(event).toMatchObject({ seq: at + 1, prevHash: previous, hash: linkHash(previous, sealedText(event)) });
      previous = event.hash;
    }
    expect(await getAuditLogHead({ ...hub.as('ada'), ...ORG })).toEqual({
      first: { seq: 1, hash: log[0]?.hash },
      last: { seq: 5, hash: previous },
    });
  });

  test('contains nothing that was refused or rolled back', async () => {
    await using hub = await startWithAcme();
    const ada = hub.as('ada');
    await createRepo({ ...ada, repo: 'acme/bert' });
    const before = await getAuditLogHead({ ...ada, ...ORG });
    await expect(createRepo({ ...ada, repo: 'acme/bert' })).rejects.toMatchObject({ status: 409 });
    await expect(createRepo({ ...hub.as('eve'), repo: 'acme/other' })).rejects.toMatchObject({ status: 403 });
    await expect(hub.apply({ repos: [{ name: 'acme/new' }, { name: 'nobody/new' }] })).rejects.toMatchObject({
      status: 400,
    });
    await updateRepoSettings({ ...ada, type: 'model', repo: 'acme/bert', settings: { private: false } });
    await createRepo({ ...ada, repo: 'ada/own' });
    expect(await getAuditLogHead({ ...ada, ...ORG })).toEqual(before);
  });

  test('shows deleted authors and tokens as deleted, under their former names', async () => {
    await using hub = await startWithAcme();
    await hub.apply({ organizations: [{ ...ORG, members: [{ user: 'bob', role: 'write' }] }] });
    await createRepo({ ...hub.as('bob'), repo: 'acme/bert' });
    await hub.apply({ users: [{ name: 'bob', state: 'absent' }] });
    const log = await exportAuditLog({ ...hub.as('ada'), ...ORG, q: 'author:BOB' });
    expect(log).toMatchObject([
      { message: 'Created the model acme/bert', author: { user: 'bob', deleted: true }, token: { deleted: true } },
    ]);
    expect((await exportAuditLog({ ...hub.as('ada'), ...ORG }))[0]).toMatchObject({
      type: 'org.remove_user',
      data: { user: { user: 'bob' }, before: 'write' },
      author: { user: 'admin' },
    });
  });

  test('records a move in both organizations', async () => {
    await using hub = await startWithAcme();
    const ada = hub.as('ada');
    await hub.apply({ organizations: [{ name: 'tools', plan: 'team', members: [{ user: 'ada', role: 'admin' }] }] });
    await createRepo({ ...ada, repo: 'ada/bert' });
    await moveRepo({ ...ada, type: 'model', from: 'ada/bert', to: 'acme/bert' });
    await moveRepo({ ...ada, type: 'model', from: 'acme/bert', to: 'tools/big-bert' });
    await moveRepo({ ...ada, type: 'model', from: 'tools/big-bert', to: 'tools/bert' });
    const moves = async (name: string) => messages(await exportAuditLog({ ...ada, name, q: 'type:repo.move' }));
    expect(await moves('acme')).toEqual([
      'Moved the model acme/bert to tools/big-bert',
      'Moved the model ada/bert to acme/bert',
    ]);
    expect(await moves('tools')).toEqual([
      'Moved the model tools/big-bert to tools/bert',
      'Moved the model acme/bert to tools/big-bert',
    ]);
  });

  test('keeps its chain through a document of a thousand repositories', async () => {
    await using hub = await startWithAcme();
    await hub.apply({ repos: Array.from({ length: 1000 }, (_, at) => ({ name: `acme/r${at}` })) });
    const log = await exportAuditLog({ ...hub.as('ada'), ...ORG });
    expect(log.map(({ seq }) => seq)).toEqual(Array.from({ length: 1002 }, (_, at) => 1002 - at));
    expect(log.every((event, at) => at === log.length - 1 || event.prevHash === log[at + 1]?.hash)).toBe(true);
    expect(log.every((event) => event.hash === linkHash(event.prevHash, sealedText(event)))).toBe(true);
  });

  test('is listed page by page, and pages are stable under new events', async () => {
    await using hub = await startWithAcme();
    const ada = hub.as('ada');
    for (let at = 0; at < 25; at++) await createRepo({ ...ada, repo: `acme/r${at}` });
    const pages = listAuditLog({ ...ada, ...ORG, pageSize: 10 });
    const first = await pages.next();
    await createRepo({ ...ada, repo: 'acme/meanwhile' });
    const rest = await collect(pages);
    const all = await exportAuditLog({ ...ada, ...ORG });
    expect([first.value, ...rest]).toEqual(all.slice(1));
    expect(messages(await collect(listAuditLog({ ...ada, ...ORG, pageSize: 10, q: 'type:org.*' })))).toEqual([
      'Added ada with the role admin',
      'Created the organization acme',
    ]);
  });
});

describe('an export', () => {
  let hub: TestHub;
  beforeAll(async () => {
    hub = await startWithAcme();
    await hub.apply({ organizations: [{ ...ORG, members: [{ user: 'bob', role: 'write' }] }] });
    for (const user of ['ada', 'bob']) await createRepo({ ...hub.as(user), repo: `acme/of-${user}` });
    await deleteRepo({ ...hub.as('ada'), type: 'model', repo: 'acme/of-bob' });
  });
  afterAll(() => hub[Symbol.asyncDispose]());

  test.each([
    [undefined, '6 5 4 3 2 1'],
    ['author:ada', '6 4'],
    ['author:ada author:bob', '6 5 4'],
    ['-author:admin', '6 5 4'],
    ['-author:admin -author:bob', '6 4'],
    ['author:ada -author:ada', ''],
    ['author:nobody', ''],
    ['type:repo.create', '5 4'],
    ['type:repo.*', '6 5 4'],
    ['type:repo.* -type:repo.delete', '5 4'],
    ['-type:repo.*', '3 2 1'],
    ['type:repo.create type:org.create', '5 4 1'],
    ['author:ada type:repo.create', '4'],
    ['author:ada type:org.*', ''],
    ['ip:127.0.0.1', '6 5 4 3 2 1'],
    ['ip:10.0.0.1', ''],
    ['-ip:10.0.0.1 author:bob', '5'],
    ['-ip:127.0.0.1', ''],
  ])('with q %j contains %s', async (q, expected) => {
    const events = await exportAuditLog({ ...hub.as('ada'), ...ORG, q });
    expect(events.map(({ seq }) => seq).join(' ')).toBe(expected);
    const listed = await collect(listAuditLog({ ...hub.as('ada'), ...ORG, q }));
    expect(listed).toEqual(events);
  });

  test('is a named file with one event per line', async () => {
    const answer = await ask(hub.as('ada'), 'GET /api/organizations/acme/audit-log/export');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="audit-log-acme-2026-01-05.json"');
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect((await answer.text()).split('\n')).toHaveLength(6);
    const none = await ask(hub.as('ada'), 'GET /api/organizations/acme/audit-log/export?q=author%3Anobody');
    expect(await none.text()).toBe('[]');
  });

  test('is not read for HEAD', async () => {
    const answer = await fetch(`${hub.url}/api/organizations/acme/audit-log/export`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${hub.as('ada').accessToken}` },
    });
    expect([answer.status, await answer.text()]).toEqual([200, '']);
  });

  test.each(['export', 'list'] as const)('%s refuses an unknown q before anything else', async (what) => {
    const path = what === 'export' ? '/export' : '';
    for (const caller of ['ada', 'eve'])
      for (const name of ['acme', 'nowhere']) {
        const answer = await ask(hub.as(caller), `GET /api/organizations/${name}/audit-log${path}?q=ada`);
        expect(answer.status).toBe(400);
      }
  });

  test.each(['', 'AAAA', 'MA', 'eA'])('a list refuses the cursor %j', async (cursor) => {
    const answer = await ask(hub.as('ada'), `GET /api/organizations/acme/audit-log?cursor=${cursor}`);
    expect(answer.status).toBe(400);
  });
});

const PATHS = ['/export', '', '/head'];

describe('reading is for', () => {
  let hub: TestHub;
  const users = ['admin-a', 'write-a', 'contributor-a', 'read-a', 'no-access-a', 'stranger'];
  const fineGrained = (permissions: string[], orgId: string, global?: string[]) => ({
    scoped: [{ entity: { _id: orgId, type: 'org' }, permissions }],
    ...(global && { global }),
  });

  beforeAll(async () => {
    hub = await startHub();
    await hub.apply({
      users: users.map(person),
      organizations: PLANS.map((plan) => ({
        name: `org-${plan}`,
        plan,
        members: [
          { user: 'admin-a', role: 'admin' as const },
          { user: 'write-a', role: 'write' as const },
          { user: 'contributor-a', role: 'contributor' as const },
          { user: 'read-a', role: 'read' as const },
          { user: 'no-access-a', role: 'no_access' as const },
        ],
      })),
    });
    const overview = await ask(hub.admin, 'GET /api/organizations/org-team/overview');
    const { _id: orgId } = (await overview.json()) as { _id: string };
    const token = (name: string, role: 'read' | 'fineGrained', scopes?: ReturnType<typeof fineGrained>) => ({
      name,
      role,
      token: `hf_${name}`,
      ...(scopes && { scopes }),
    });
    await hub.apply({
      users: [
        {
          name: 'admin-a',
          tokens: [
            token('readToken', 'read'),
            token('orgRead00', 'fineGrained', fineGrained(['org.read'], orgId)),
            token('orgWrite0', 'fineGrained', fineGrained(['org.write'], orgId)),
            token('globalRead', 'fineGrained', { scoped: [], global: ['org.read'] }),
            token('otherOrg0', 'fineGrained', fineGrained(['org.read'], '0'.repeat(24))),
            token('otherWord', 'fineGrained', fineGrained(['repo.write'], orgId, ['discussion.write'])),
          ],
        },
        { name: 'stranger', tokens: [token('strangers', 'fineGrained', fineGrained(['org.read'], orgId))] },
      ],
    });
  });
  afterAll(() => hub[Symbol.asyncDispose]());

  test.each([
    ['an admin', 'admin-a', 200],
    ['not for write', 'write-a', 403],
    ['not for contributor', 'contributor-a', 403],
    ['not for read', 'read-a', 403],
    ['not for no_access', 'no-access-a', 403],
    ['not for strangers', 'stranger', 403],
  ])('%s', async (_, user, status) => {
    for (const path of PATHS)
      expect((await ask(hub.as(user), `GET /api/organizations/org-team/audit-log${path}`)).status).toBe(status);
  });

  test('not for site administrators who are not members', async () => {
    for (const path of PATHS)
      expect((await ask(hub.admin, `GET /api/organizations/org-team/audit-log${path}`)).status).toBe(403);
  });

  test.each([
    ['hf_readToken', 200],
    ['hf_orgRead00', 200],
    ['hf_orgWrite0', 200],
    ['hf_globalRead', 200],
    ['hf_otherOrg0', 403],
    ['hf_otherWord', 403],
    ['hf_strangers', 403],
    ['hf_nobodyHasThis', 401],
  ])('the token %s: %s', async (token, status) => {
    for (const path of PATHS)
      expect((await ask(hub.with(token), `GET /api/organizations/org-team/audit-log${path}`)).status).toBe(status);
  });

  test.each([
    ['free', 402],
    ['team', 200],
    ['enterprise', 200],
    ['plus', 200],
  ])('admins on the plan %s: %s', async (plan, status) => {
    for (const path of PATHS) {
      const answer = await ask(hub.as('admin-a'), `GET /api/organizations/org-${plan}/audit-log${path}`);
      expect(answer.status).toBe(status);
      if (status === 402)
        expect(await answer.json()).toEqual({ error: `The organization org-${plan} needs the Team plan for this` });
    }
  });

  test('an insufficient role is reported before an insufficient plan', async () => {
    for (const user of ['read-a', 'stranger'])
      expect((await ask(hub.as(user), 'GET /api/organizations/org-free/audit-log')).status).toBe(403);
  });

  test('not for callers without a token; users and unknown names have no log', async () => {
    for (const path of PATHS) {
      expect((await ask({ hubUrl: hub.url }, `GET /api/organizations/org-team/audit-log${path}`)).status).toBe(401);
      for (const name of ['nowhere', 'admin-a', 'org-team2'])
        expect((await ask(hub.as('admin-a'), `GET /api/organizations/${name}/audit-log${path}`)).status).toBe(404);
    }
  });
});
