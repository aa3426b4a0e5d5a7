import { readFile } from 'node:fs/promises';
import { createAccessToken } from '@moonbase/client/access-tokens';
import { exportAuditLog } from '@moonbase/client/audit-log';
import { deleteOrganizationAvatar, setOrganizationAvatar } from '@moonbase/client/avatars';
import { cancelJob, type JobSpecification, runJob } from '@moonbase/client/jobs';
import { createRepo, deleteRepo, moveRepo, updateRepoSettings } from '@moonbase/client/repositories';
import {
  createScheduledJob,
  deleteScheduledJob,
  resumeScheduledJob,
  runScheduledJob,
  suspendScheduledJob,
  updateJobSchedule,
} from '@moonbase/client/scheduled-jobs';
import { AUDIT_EVENT_TYPES, type AuditEventType } from '@moonbase/contract/audit-log/event-types';
import type { Method } from '@moonbase/contract/route';
import { expect, test } from 'vitest';
import { ask } from './ask.ts';
import { person, startHub } from './harness.ts';
import { blackPng } from './pictures.ts';
import { createTestRunner } from './test-runner.ts';

/** The events that documents and repositories cause. */
const RECORDED: readonly AuditEventType[] = [
  'billing.update_subscription_plan',
  'org.add_user',
  'org.change_role',
  'org.create',
  'org.delete',
  'org.leave',
  'org.remove_user',
  'org.update_settings',
  'repo.create',
  'repo.delete',
  'repo.move',
  'repo.update_settings',
];

/** The events that admins and members of an organization cause. */
const ADMINISTERED: readonly AuditEventType[] = [
  'org.custom_role.create',
  'org.custom_role.delete',
  'org.custom_role.update',
  'org.invite.accept',
  'org.invite.email',
  'org.invite_user',
  'org.join.from_domain',
  'org.rename',
  'org.restore',
  'org.token_approval.authorization_request',
  'org.token_approval.authorization_request.authorized',
  'org.token_approval.authorization_request.denied',
  'org.token_approval.authorization_request.revoked',
  'org.token_approval.disabled',
  'org.token_approval.enabled',
  'org.update_join_settings',
  'repo.update_resource_group',
  'resource_group.add_users',
  'resource_group.change_role',
  'resource_group.create',
  'resource_group.delete',
  'resource_group.remove_users',
  'resource_group.settings',
];

/** The events of an organization's collections. */
const OF_COLLECTIONS: readonly AuditEventType[] = ['collection.create', 'collection.delete'];

/** The events of an organization's jobs. */
const OF_JOBS = AUDIT_EVENT_TYPES.filter((type) => /^(jobs|scheduled_job)\./.test(type));

/** The events that cannot occur here, each with the reason. */
const NOT_YET: Readonly<Record<string, readonly AuditEventType[]>> = {
  'nothing is paid here: a site administrator sets the plan, which is the one billing event': AUDIT_EVENT_TYPES.filter(
    (type) => type.startsWith('billing.') && type !== 'billing.update_subscription_plan',
  ),
  'nobody becomes a member without asking or being asked': ['org.join.automatic'],
  'organizations have no tokens of their own': ['org.rotate_token'],
  'there is no single sign-on': ['org.sso_login', 'org.sso_join'],
  'repositories have no secrets and no variables': AUDIT_EVENT_TYPES.filter((type) =>
    /^repo\..*_(secrets?|variables?)$/.test(type),
  ),
  'repositories cannot be disabled or duplicated': ['repo.disable', 'repo.removeDisable', 'repo.duplication'],
  'repositories have no DOI and no files': ['repo.delete_doi', 'repo.delete_lfs_file'],
  'Spaces do not run': AUDIT_EVENT_TYPES.filter((type) => type.startsWith('spaces.')),
  'there are no OAuth applications': ['oauth.token'],
};

test('every type of the specification is recorded, or has a stated reason why it cannot occur yet', () => {
  const named = [...RECORDED, ...ADMINISTERED, ...OF_COLLECTIONS, ...OF_JOBS, ...Object.values(NOT_YET).flat()];
  expect([...named].sort()).toEqual([...AUDIT_EVENT_TYPES].sort());
});

test('the documentation says for every type when it is recorded', async () => {
  const page = await readFile(new URL('../../../docs/audit-log.md', import.meta.url), 'utf8');
  const told = new Set(
    [...page.matchAll(/`((?:org|repo|collection|resource_group|billing|jobs|scheduled_job)\.[\w.]+)`/g)].map(
      ([, type]) => type,
    ),
  );
  expect([...RECORDED, ...ADMINISTERED, ...OF_COLLECTIONS, ...OF_JOBS].filter((type) => !told.has(type))).toEqual([]);
});

test('the recorded events are exactly those that happened', async () => {
  await using hub = await startHub();
  const ada = hub.as('ada');
  const team = (members: { user: string; role?: 'admin' | 'write' | 'read'; state?: 'absent' }[]) =>
    hub.apply({ organizations: [{ name: 'acme', plan: 'team', fullname: 'Acme', members }] });
  await hub.apply({ users: ['ada', 'bob'].map(person), organizations: [{ name: 'acme' }, { name: 'gone' }] });
  await team([{ user: 'ada', role: 'admin' }, { user: 'bob' }]);
  await team([{ user: 'bob', role: 'write' }]);
  await team([{ user: 'bob', state: 'absent' }]);
  await team([{ user: 'admin', state: 'absent' }]);
  await createRepo({ ...ada, repo: 'acme/bert' });
  await updateRepoSettings({
    ...ada,
    type: 'model',
    repo: 'acme/bert',
    settings: { private: true, gated: 'auto', discussionsDisabled: true },
  });
  await moveRepo({ ...ada, type: 'model', from: 'acme/bert', to: 'acme/berta' });
  await deleteRepo({ ...ada, type: 'model', repo: 'acme/berta' });
  const log = await exportAuditLog({ ...ada, name: 'acme' });
  expect(log.reverse().map(({ type, message, data }) => [type, message, data])).toEqual([
    ['org.create', 'Created the organization acme', { name: 'acme', plan: 'free' }],
    ['org.add_user', 'Added admin with the role admin', { user: user('admin'), role: 'admin' }],
    ['billing.update_subscription_plan', 'Changed the plan from free to team', { before: 'free', after: 'team' }],
    [
      'org.update_settings',
      'Updated the settings of the organization acme',
      { before: { fullname: 'acme' }, after: { fullname: 'Acme' } },
    ],
    ['org.add_user', 'Added ada with the role admin', { user: user('ada'), role: 'admin' }],
    ['org.add_user', 'Added bob with the role read', { user: user('bob'), role: 'read' }],
    [
      'org.change_role',
      'Changed the role of bob from read to write',
      { user: user('bob'), before: 'read', role: 'write' },
    ],
    ['org.remove_user', 'Removed bob', { user: user('bob'), before: 'write' }],
    ['org.leave', 'Left the organization', { user: user('admin'), before: 'admin' }],
    ['repo.create', 'Created the model acme/bert', { repo: repo('acme/bert'), private: false }],
    [
      'repo.update_settings',
      'Updated the settings of the model acme/bert',
      {
        repo: repo('acme/bert'),
        before: { private: false, gated: false, discussionsDisabled: false },
        after: { private: true, gated: 'auto', discussionsDisabled: true },
      },
    ],
    [
      'repo.move',
      'Moved the model acme/bert to acme/berta',
      { repo: repo('acme/berta'), from: 'acme/bert', to: 'acme/berta' },
    ],
    ['repo.delete', 'Deleted the model acme/berta', { repo: repo('acme/berta') }],
  ]);
  const seen = new Set(log.map(({ type }) => type));
  // The log of a deleted organization continues, but can no longer be read over the API.
  expect([...seen, 'org.delete'].sort()).toEqual(RECORDED);
});

test('actions of admins and members are recorded', async () => {
  await using hub = await startHub();
  const members = [{ user: 'ada', role: 'admin' as const }];
  await hub.apply({
    users: ['ada', 'bob', 'carol'].map((name) => ({ ...person(name), email: `${name}@acme.com` })),
    organizations: [{ name: 'first', plan: 'enterprise', members }],
  });
  const does = async (user: string, request: `${Method} ${string}`, body?: object) => {
    const answer = await ask(hub.as(user), request, body);
    expect([request, answer.status < 300]).toEqual([request, true]);
    return answer.status === 204 ? {} : ((await answer.json()) as { id?: string });
  };
  const org = '/api/organizations/acme';
  await does('ada', 'PATCH /api/organizations/first', { name: 'acme' });
  await does('ada', `PATCH ${org}`, { joinDomains: ['acme.com'] });
  await does('ada', `DELETE ${org}`);
  await does('ada', `POST ${org}/restore`);
  const { id: invitation } = await does('ada', `POST ${org}/invitations`, { user: 'bob', role: 'read' });
  await does('ada', `POST ${org}/invitations`, { email: 'somebody@acme.com', role: 'read' });
  await does('bob', `POST /api/settings/invitations/${invitation}/accept`);
  await does('carol', `POST ${org}/join`);

  await does('ada', `PATCH ${org}/settings/tokens/policy`, { policy: 'approval' });
  for (const decision of ['approve', 'deny', 'revoke']) {
    const token = await createAccessToken({ ...hub.as('bob'), displayName: decision, role: 'read' });
    await does('ada', `POST ${org}/settings/tokens/${token.id}/${decision}`);
  }
  await does('ada', `PATCH ${org}/settings/tokens/policy`, { policy: 'any' });

  await does('ada', `POST ${org}/roles`, { name: 'guest', base: 'read' });
  await does('ada', `PATCH ${org}/roles/guest`, { base: 'write' });
  await does('ada', `DELETE ${org}/roles/guest`);
  const { id: lab } = await does('ada', `POST ${org}/resource-groups`, { name: 'lab' });
  const group = `${org}/resource-groups/${lab}` as const;
  await does('ada', `POST ${group}/users`, { users: [{ user: 'bob', role: 'read' }] });
  await does('ada', `PATCH ${group}/users/bob`, { role: 'write' });
  await does('ada', `DELETE ${group}/users/bob`);
  await does('ada', `PATCH ${group}`, { name: 'laboratory' });
  await createRepo({ ...hub.as('ada'), repo: 'acme/bert' });
  await does('ada', 'POST /api/models/acme/bert/resource-group', { resourceGroupId: lab });
  await does('ada', `DELETE ${group}`);

  const picture = new Blob([new Uint8Array(blackPng(8, 8))]);
  await setOrganizationAvatar({ ...hub.as('ada'), name: 'acme', picture });
  await deleteOrganizationAvatar({ ...hub.as('ada'), name: 'acme' });

  const log = await exportAuditLog({ ...hub.as('ada'), name: 'acme' });
  expect(log.slice(0, 2).map(({ type, message }) => [type, message])).toEqual([
    ['org.update_settings', 'Removed the picture of acme'],
    ['org.update_settings', 'Changed the picture of acme'],
  ]);
  const seen = new Set(log.map(({ type }) => type));
  // All other recorded types were seen by the first test, or can no longer be read.
  expect([...seen].filter((type) => !RECORDED.includes(type)).sort()).toEqual([...ADMINISTERED].sort());
  expect(seen).toContain('org.delete');
  // A user who joins by an invitation or a domain is recorded once.
  const added = log.filter(({ type }) => type === 'org.add_user').map(({ message }) => message);
  expect(added).toEqual(['Added ada with the role admin']);
});

test('actions on the jobs of an organization are recorded', async () => {
  await using hub = await startHub({}, { runner: createTestRunner() });
  const members = [{ user: 'ada', role: 'admin' as const }];
  await hub.apply({ users: [person('ada')], organizations: [{ name: 'acme', plan: 'team', members }] });
  const ada = { ...hub.as('ada'), namespace: 'acme' };
  const job: JobSpecification = { dockerImage: 'python:3.12', command: ['true'], flavor: 'cpu-basic' };
  await cancelJob({ ...ada, jobId: (await runJob({ ...ada, job })).id });
  const { id: jobId } = await createScheduledJob({ ...ada, jobSpec: job, schedule: '@hourly' });
  await suspendScheduledJob({ ...ada, jobId });
  await resumeScheduledJob({ ...ada, jobId });
  await updateJobSchedule({ ...ada, jobId, schedule: '@daily' });
  await runScheduledJob({ ...ada, jobId });
  await deleteScheduledJob({ ...ada, jobId });
  const log = await exportAuditLog({ ...hub.as('ada'), name: 'acme', q: 'type:jobs.* type:scheduled_job.*' });
  expect(log.map(({ type }) => type).sort()).toEqual([...OF_JOBS].sort());
  for (const { author } of log) expect(author).toMatchObject({ user: 'ada' });
});

const user = (name: string) => ({ _id: expect.stringMatching(/^[0-9a-f]{24}$/), user: name });
const repo = (name: string) => ({ _id: expect.stringMatching(/^[0-9a-f]{24}$/), type: 'model', name });
