import { createAccessToken, revokeCredentials } from '@moonbase/client/access-tokens';
import { createCollection } from '@moonbase/client/collections';
import { createDiscussion } from '@moonbase/client/discussions';
import {
  approveMemberToken,
  denyMemberToken,
  listMemberTokens,
  revokeMemberToken,
  revokeMemberTokenById,
  type TokenPolicy,
  updateTokenPolicy,
} from '@moonbase/client/member-tokens';
import { listMembers } from '@moonbase/client/members';
import { whoAmI } from '@moonbase/client/profiles';
import { createRepo } from '@moonbase/client/repositories';
import { listWatched, updateWatched } from '@moonbase/client/watching';
import type { FineGrained } from '@moonbase/contract/accounts/profiles';
import type { Plan } from '@moonbase/contract/primitives';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type Asked, ask } from './ask.ts';
import { type AuditRecorder, createAuditRecorder } from './audit-recorder.ts';
import { type Connection, collect, person, startHub, type TestHub, tokenOf } from './harness.ts';

const REVOKED =
  'Your token has been revoked by the organization administrator, you can no longer access organization resources. Please contact them for more information.';
const UNAPPROVED =
  'Due to the organization token policy, your token needs to be approved by the organization before you can access this resource.';

let hub: TestHub;
let audit: AuditRecorder;
const acme = { name: 'acme' };

beforeEach(async () => {
  audit = createAuditRecorder();
  hub = await startHub({}, { audit });
  onTestFinished(() => hub[Symbol.asyncDispose]());
  await hub.apply({
    users: ['ada', 'eve', 'bob', 'zoe'].map(person),
    organizations: [
      {
        name: 'acme',
        plan: 'enterprise',
        members: [
          { user: 'ada', role: 'admin' },
          { user: 'eve', role: 'admin' },
          { user: 'bob', role: 'write' },
        ],
      },
    ],
  });
  await createRepo({ ...hub.as('bob'), repo: 'acme/public' });
  await createRepo({ ...hub.as('bob'), repo: 'acme/private', private: true });
  for (const user of ['ada', 'eve', 'bob']) await createRepo({ ...hub.as(user), repo: `${user}/own`, private: true });
  audit.taken();
});

const revoke = (token: string, by = 'ada') => revokeMemberToken({ ...hub.as(by), ...acme, token });
const setPolicy = (policy: TokenPolicy, by = 'ada') => updateTokenPolicy({ ...hub.as(by), ...acme, policy });
const tokens = () => collect(listMemberTokens({ ...hub.as('ada'), ...acme }));
const idOf = async (user: string) => (await tokens()).find((token) => token.user === user)?.id ?? '';
const decide = async (verb: 'approve' | 'deny' | 'revoke', user: string) => {
  const tokenId = await idOf(user);
  const calls = { approve: approveMemberToken, deny: denyMemberToken, revoke: revokeMemberTokenById };
  return calls[verb]({ ...hub.as('ada'), ...acme, tokenId });
};
const newToken = async (user: string, scopes?: FineGrained): Promise<Connection> => {
  const { token } = await createAccessToken({
    ...hub.as(user),
    displayName: `t${Math.random()}`,
    ...(scopes ? { role: 'fineGrained', fineGrained: scopes as never } : { role: 'write' }),
  });
  return hub.with(token);
};
const orgId = async () => (await whoAmI(hub.as('ada'))).orgs[0]?.id ?? '';

/** The requests for resources of the organization. */
const RESOURCES = [
  'GET /api/models/acme/public',
  'GET /api/models/acme/private',
  'GET /api/models/acme/none',
  'GET /api/models/acme/public/discussions',
  'POST /api/models/acme/public/discussions',
  'POST /api/models/acme/public/branch/draft',
  'POST /api/repos/create',
  'DELETE /api/repos/delete',
  'POST /api/repos/move',
  'GET /api/organizations/acme/members',
  'GET /api/organizations/acme/overview',
  'GET /api/organizations/acme/settings/repositories',
  'GET /api/organizations/acme/invitations',
  'PATCH /api/organizations/acme',
  'DELETE /api/organizations/acme',
  'DELETE /api/organizations/acme/members/bob',
  'POST /api/organizations/acme/join',
  'PUT /api/organizations/acme/members/bob/role',
  'POST /api/organizations/acme/settings/tokens/revoke',
] as const;
const BODIES: Readonly<Record<string, object>> = {
  'POST /api/models/acme/public/discussions': { title: 'Why', description: 'Because' },
  'POST /api/repos/create': { name: 'acme/new' },
  'DELETE /api/repos/delete': { name: 'acme/private' },
  'PUT /api/organizations/acme/members/bob/role': { role: 'read' },
  'POST /api/organizations/acme/settings/tokens/revoke': { token: 'hf_x' },
};

/** Returns the refusal that a caller gets everywhere; undefined if any request succeeds. */
async function heldUp(user: string): Promise<string | undefined> {
  const answers = new Set<string>();
  for (const request of RESOURCES) {
    const answer = await ask(
      hub.as(user),
      request,
      request.endsWith('/move') ? { fromRepo: `${user}/own`, toRepo: 'acme/own' } : BODIES[request],
    );
    answers.add(
      answer.status === 403 ? ((await answer.json()) as { error: string }).error : `${answer.status} ${request}`,
    );
  }
  return answers.size === 1 ? [...answers][0] : undefined;
}
const status = async (caller: Asked, path = 'models/acme/private') => (await ask(caller, `GET /api/${path}`)).status;

describe('a token that is revoked from an organization', () => {
  test('loses access to it from the next request on, and works elsewhere', async () => {
    expect(await status(hub.as('bob'))).toBe(200);
    expect(await revoke(tokenOf('bob'))).toEqual({ success: true });
    expect(await heldUp('bob')).toBe(REVOKED);
    expect(audit.taken()).toEqual(['org.token_approval.authorization_request.revoked by ada']);
    expect(await status(hub.as('bob'), 'models/bob/own')).toBe(200);
    expect(await whoAmI(hub.as('bob'))).toMatchObject({ orgs: [{ securityRestrictions: ['token-revoked'] }] });
    // A token that bob creates has the same decision.
    expect(await status(await newToken('bob'))).toBe(403);
  });

  test('does not see it in any list', async () => {
    for (const id of ['acme/public', 'acme/private', 'bob/own'])
      await updateWatched({ ...hub.as('bob'), add: [{ type: 'repo', id }], delete: [] });
    await revoke(tokenOf('bob'));
    const watched = await collect(listWatched(hub.as('bob')));
    expect(watched.filter(({ type }) => type === 'repo').map(({ name }) => name)).toEqual(['bob/own']);
  });

  test('stays revoked: twice, by any policy, and when its user leaves and comes back', async () => {
    await revoke(tokenOf('bob'));
    await revoke(tokenOf('bob'));
    expect(audit.taken()).toHaveLength(1);
    for (const policy of ['approval', 'any'] as const) {
      await setPolicy(policy);
      expect(await heldUp('bob')).toBe(REVOKED);
    }
    await expect(decide('approve', 'bob')).rejects.toMatchObject({ status: 409 });
    await expect(decide('deny', 'bob')).rejects.toMatchObject({ status: 409 });
    for (const state of ['absent', undefined] as const)
      await hub.apply({ organizations: [{ name: 'acme', members: [{ user: 'bob', role: 'write', state }] }] });
    expect(await heldUp('bob')).toBe(REVOKED);
  });

  test('may belong to an admin, and is revoked by its id', async () => {
    await decide('revoke', 'eve');
    expect(await heldUp('eve')).toBe(REVOKED);
  });

  test.each([
    ['the token of the call', () => tokenOf('ada'), 400],
    ['a value that is not a token', () => 'Bearer x', 400],
    ['an unknown token', () => 'hf_unknownUnknown', 404],
    ['a token of somebody else', () => tokenOf('zoe'), 404],
  ])('is not %s', async (_, token, expected) => {
    await expect(revoke(token())).rejects.toMatchObject({ status: expected });
    expect(audit.taken()).toEqual([]);
  });

  test('is not found if its id does not belong there', async () => {
    const { id: tokenId } = await createAccessToken({ ...hub.as('zoe'), displayName: 'other', role: 'read' });
    for (const call of [approveMemberToken, denyMemberToken, revokeMemberTokenById]) {
      await expect(call({ ...hub.as('ada'), ...acme, tokenId })).rejects.toMatchObject({ status: 404 });
      await expect(call({ ...hub.as('ada'), ...acme, tokenId: 'none' })).rejects.toMatchObject({ status: 404 });
    }
  });
});

describe('if approval is required', () => {
  test('members need it, admins do not; denying and approving undo each other', async () => {
    await setPolicy('approval');
    expect(await heldUp('bob')).toBe(UNAPPROVED);
    expect(await whoAmI(hub.as('bob'))).toMatchObject({ orgs: [{ securityRestrictions: ['token-policy'] }] });
    expect(await status(hub.as('eve'))).toBe(200);
    expect(await status(hub.as('zoe'), 'models/acme/public')).toBe(200);
    expect((await tokens()).map(({ user, status }) => [user, status])).toEqual([
      ['bob', 'pending'],
      ['eve', 'approved'],
      ['ada', 'approved'],
    ]);
    await decide('approve', 'bob');
    expect(await status(hub.as('bob'))).toBe(200);
    await decide('deny', 'bob');
    expect(await heldUp('bob')).toBe(UNAPPROVED);
    await decide('approve', 'bob');
    await decide('approve', 'bob');
    expect(await status(hub.as('bob'))).toBe(200);
    expect(audit.taken()).toEqual([
      'org.token_approval.enabled by ada',
      'org.token_approval.authorization_request.authorized by ada',
      'org.token_approval.authorization_request.denied by ada',
      'org.token_approval.authorization_request.authorized by ada',
    ]);
  });

  test('a new token requests it, unless it does not reach the organization', async () => {
    await setPolicy('approval');
    audit.taken();
    await newToken('bob');
    expect(audit.taken()).toEqual(['org.token_approval.authorization_request by bob']);
    await newToken('eve');
    await newToken('zoe');
    await newToken('bob', {
      scoped: [{ entity: { _id: 'f'.repeat(24), type: 'model' }, permissions: ['repo.write'] }],
    });
    expect(audit.taken()).toEqual([]);
    await newToken('bob', { scoped: [{ entity: { _id: await orgId(), type: 'org' }, permissions: ['repo.write'] }] });
    expect(audit.taken()).toEqual(['org.token_approval.authorization_request by bob']);
    expect((await tokens()).filter(({ status }) => status === 'pending')).toHaveLength(3);
  });

  test('a denied token stays denied under another policy until it is approved', async () => {
    await setPolicy('approval');
    await decide('deny', 'bob');
    await setPolicy('any');
    expect(audit.taken().at(-1)).toBe('org.token_approval.disabled by ada');
    expect(await heldUp('bob')).toBe(UNAPPROVED);
    await decide('approve', 'bob');
    expect(await status(hub.as('bob'))).toBe(200);
  });
});

describe('if only fine-grained tokens are admitted', () => {
  test('other tokens are refused, whoever owns them', async () => {
    const scopes = {
      scoped: [{ entity: { _id: await orgId(), type: 'org' }, permissions: ['org.write', 'repo.content.read'] }],
    };
    const fine = await newToken('ada', scopes);
    await expect(setPolicy('fine-grained')).rejects.toMatchObject({ status: 400 });
    await updateTokenPolicy({ ...fine, ...acme, policy: 'fine-grained' });
    for (const user of ['ada', 'eve', 'bob']) expect(await heldUp(user)).toMatch(/only fine-grained tokens/);
    expect(await status(fine)).toBe(200);
    expect(await collect(listMembers({ ...fine, ...acme }))).toHaveLength(3);
    await updateTokenPolicy({ ...fine, ...acme, policy: 'any' });
    expect(await status(hub.as('bob'))).toBe(200);
    expect(audit.taken()).toEqual(['org.update_settings by ada', 'org.update_settings by ada']);
  });
});

test('the list is of tokens that reach the organization, in pages', async () => {
  await newToken('bob', { scoped: [] });
  await newToken('bob', { scoped: [{ entity: { _id: 'f'.repeat(24), type: 'model' }, permissions: ['repo.write'] }] });
  for (let made = 0; made < 25; made++) await newToken('bob');
  const all = await tokens();
  expect(all).toHaveLength(28);
  expect(await collect(listMemberTokens({ ...hub.as('ada'), ...acme, pageSize: 10 }))).toEqual(all);
  expect(JSON.stringify(all)).not.toContain('hf_');
});

test('a token for one collection of the organization is listed, asks for approval and is revoked as every other', async () => {
  const { slug } = await createCollection({ ...hub.as('bob'), title: 'Weights', namespace: 'acme' });
  const at = `/api/collections/${slug}` as const;
  const change = async (caller: Asked) => (await ask(caller, `PATCH ${at}`, { theme: 'blue' })).status;
  const scoped: FineGrained['scoped'] = [
    { entity: { _id: slug.slice(-24), type: 'collection' }, permissions: ['collection.write'] },
  ];
  const narrow = await newToken('bob', { scoped });
  expect(await change(narrow)).toBe(200);
  expect(await tokens()).toHaveLength(4);
  await setPolicy('approval');
  expect(await change(narrow)).toBe(403);
  await decide('approve', 'bob');
  expect(await change(narrow)).toBe(200);
  audit.taken();
  await newToken('bob', { scoped });
  expect(audit.taken()).toEqual(['org.token_approval.authorization_request by bob']);
  await revoke(narrow.accessToken);
  expect(await change(narrow)).toBe(403);
});

test.each<[Plan, number]>([
  ['free', 402],
  ['team', 402],
  ['enterprise', 200],
  ['plus', 200],
])('the plan %s answers %i', async (plan, expected) => {
  const tokenId = await idOf('bob');
  await hub.apply({ organizations: [{ name: 'acme', plan }] });
  const base = '/api/organizations/acme/settings/tokens';
  const requests = [
    [`GET ${base}`],
    [`POST ${base}/${tokenId}/deny`],
    [`POST ${base}/${tokenId}/approve`],
    [`PATCH ${base}/policy`, { policy: 'approval' }],
    [`POST ${base}/${tokenId}/revoke`],
    [`POST ${base}/revoke`, { token: tokenOf('bob') }],
  ] as const;
  for (const [request, body] of requests) expect((await ask(hub.as('ada'), request, body)).status).toBe(expected);
});

test('leaked credentials are revoked everywhere, and the response reveals nothing', async () => {
  await createDiscussion({ ...hub.as('bob'), type: 'model', repo: 'acme/public', title: 'Why', description: '' });
  const anonymous = { hubUrl: hub.url, fetch: hub.admin.fetch };
  for (let times = 0; times < 2; times++)
    expect(await revokeCredentials({ ...anonymous, credentials: [tokenOf('bob'), 'hf_unknown', 'a secret'] })).toEqual({
      success: true,
    });
  expect((await ask(hub.as('bob'), 'GET /api/whoami-v2')).status).toBe(401);
  expect((await ask(hub.as('eve'), 'GET /api/whoami-v2')).status).toBe(200);
  const answer = await ask({ hubUrl: hub.url }, 'POST /api/credentials/revoke', { credentials: ['x'] });
  expect(answer.status).toBe(202);
  for (const credentials of [[], [''], ['x'.repeat(201)], Array(1001).fill('x')])
    expect((await ask({ hubUrl: hub.url }, 'POST /api/credentials/revoke', { credentials })).status).toBe(400);
});
