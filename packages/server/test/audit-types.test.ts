import { exportAuditLog } from '@moonbase/client/audit-log';
import { createRepo, deleteRepo, moveRepo, updateRepoSettings } from '@moonbase/client/repositories';
import { AUDIT_EVENT_TYPES, type AuditEventType } from '@moonbase/contract/audit-event-types';
import { expect, test } from 'vitest';
import { person, startHub } from './harness.ts';

/** What the hub does today and records. */
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

/** What cannot happen here, with the reason. */
const NOT_YET: Readonly<Record<string, readonly AuditEventType[]>> = {
  'nothing is paid here: a site administrator sets the plan, which is the one billing event': AUDIT_EVENT_TYPES.filter(
    (type) => type.startsWith('billing.') && type !== 'billing.update_subscription_plan',
  ),
  'there are no collections': ['collection.create', 'collection.delete'],
  'an organization cannot be renamed or restored': ['org.rename', 'org.restore'],
  'members are added by site administrators, nobody is invited': [
    'org.invite_user',
    'org.invite.accept',
    'org.invite.email',
  ],
  'nobody joins without being added': ['org.join.from_domain', 'org.join.automatic', 'org.update_join_settings'],
  'organizations have no tokens of their own': ['org.rotate_token'],
  'there is no single sign-on': ['org.sso_login', 'org.sso_join'],
  'organizations do not decide about tokens yet': AUDIT_EVENT_TYPES.filter((type) =>
    type.startsWith('org.token_approval.'),
  ),
  'there are no custom roles yet': ['org.custom_role.create', 'org.custom_role.update', 'org.custom_role.delete'],
  'repositories have no secrets and no variables': AUDIT_EVENT_TYPES.filter((type) =>
    /^repo\..*_(secrets?|variables?)$/.test(type),
  ),
  'repositories cannot be disabled or duplicated': ['repo.disable', 'repo.removeDisable', 'repo.duplication'],
  'repositories have no DOI and no files': ['repo.delete_doi', 'repo.delete_lfs_file'],
  'there are no resource groups yet': [
    'repo.update_resource_group',
    ...AUDIT_EVENT_TYPES.filter((type) => type.startsWith('resource_group.')),
  ],
  'Spaces do not run': AUDIT_EVENT_TYPES.filter((type) => type.startsWith('spaces.')),
  'there are no jobs yet': AUDIT_EVENT_TYPES.filter((type) => /^(jobs|scheduled_job)\./.test(type)),
  'there are no OAuth applications': ['oauth.token'],
};

test('every type of the specification is recorded, or cannot happen yet for a reason', () => {
  const named = [...RECORDED, ...Object.values(NOT_YET).flat()];
  expect([...named].sort()).toEqual([...AUDIT_EVENT_TYPES].sort());
});

test('what is recorded is what happens', async () => {
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
  // The log of an organization that is deleted goes on, and nobody may read it over the API any more.
  expect([...seen, 'org.delete'].sort()).toEqual(RECORDED);
});

const user = (name: string) => ({ _id: expect.stringMatching(/^[0-9a-f]{24}$/), user: name });
const repo = (name: string) => ({ _id: expect.stringMatching(/^[0-9a-f]{24}$/), type: 'model', name });
