import { createApplication } from '@moonbase/client/applications';
import { createUserLink } from '@moonbase/client/authentication';
import { createCollection } from '@moonbase/client/collections';
import { createDiscussion } from '@moonbase/client/discussions';
import { commitAt, uploadFiles } from '@moonbase/client/files';
import { runJob } from '@moonbase/client/jobs';
import { updateQuota } from '@moonbase/client/quotas';
import { createResourceGroup } from '@moonbase/client/resource-groups';
import { createScheduledJob } from '@moonbase/client/scheduled-jobs';
import { getDeliveryPage } from '@moonbase/client/webhooks';
import { type startFilledWorld, until } from './world.ts';

export type FilledWorld = Awaited<ReturnType<typeof startFilledWorld>>;

const BERT = { type: 'model', repo: 'acme/bert' } as const;
export const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const FILES = [
  {
    path: 'README.md',
    content:
      '---\nlicense: mit\n---\n# Bert\n\nSee [the configuration](config.json).\n\n| size | accuracy |\n|---|---|\n| base | 0.9 |\n\n```\npip install bert\n```\n',
  },
  { path: 'config.json', content: `${JSON.stringify({ architectures: ['BertForMaskedLM'], layers: 12 }, null, 2)}\n` },
  { path: 'data/moon.png', content: Uint8Array.from(Buffer.from(PIXEL, 'base64')) },
  { path: 'data/weights.bin', content: new Uint8Array(2000) },
];

/** The collections that were created so far: a title is used once. */
let lists = 0;
/** The resource groups that were created so far. */
let groups = 0;

/** The pages for visitors who are not signed in. */
export const SIGNED_OUT = ['sign-in', 'sign-up', 'join', 'join-spent', 'api-reference'];

/** Returns the address of each page, by the name of its picture, after creating what the page shows. */
export const PAGES: Record<string, (world: FilledWorld) => string | Promise<string>> = {
  'sign-in': () => '/',
  'sign-up': () => '/join',
  join: async (world) =>
    new URL((await createUserLink({ ...world.admin, username: 'bob', purpose: 'invite' })).url).pathname,
  'join-spent': () => '/join/nothing',
  'api-reference': () => '/docs',
  'api-operation': () => '/docs#createRepo',
  inbox: () => '/inbox',
  'inbox-empty': () => '/inbox?repo=acme/nothing',
  discussion: () => '/acme/bert/discussions/1',
  'pull-request': () => '/acme/bert/discussions/2/files',
  discussions: () => '/acme/bert/discussions',
  'new-discussion': () => '/acme/bert/discussions/new',
  webhooks: () => '/webhooks',
  'webhook-form': () => '/webhooks/new',
  'webhook-edit': ({ webhookId }) => `/webhooks/${webhookId}/edit`,
  'webhook-activity': ({ webhookId }) => `/webhooks/${webhookId}`,
  'webhook-delivery': async (world) => {
    const { entries } = await getDeliveryPage({ ...world.as('alice'), webhookId: world.webhookId });
    return `/webhooks/${world.webhookId}/deliveries/${entries[0]?.id}`;
  },
  job: async (world) => {
    const job = {
      dockerImage: 'python:3.12',
      command: ['sh', '-c', 'echo Loading the data; echo 3 of 3 done'],
      flavor: 'cpu-basic',
      environment: { EPOCHS: '3' },
    } as const;
    const { id } = await runJob({
      ...world.as('alice'),
      namespace: 'alice',
      job: { ...job, command: [...job.command] },
    });
    return `/jobs/alice/${id}`;
  },
  paper: async (world) => {
    await world.apply({
      papers: [{ id: '2401.01234', title: 'On moons', summary: 'Why.', authors: [{ name: 'Ada' }] }],
    });
    return '/papers/2401.01234';
  },
  models: () => '/models',
  spaces: () => '/spaces',
  account: () => '/alice',
  organization: () => '/acme',
  buckets: () => '/buckets',
  papers: () => '/papers',
  collections: () => '/collections',
  'new-collection': () => '/collections/new',
  collection: async (world) => {
    const item = { type: 'model', id: 'acme/bert', note: 'The first one' } as const;
    const { slug } = await createCollection({ ...world.as('alice'), title: `List ${++lists}`, item });
    return `/collections/${slug}`;
  },
  repositories: () => '/repositories?owner=acme',
  'new-repository': () => '/new?type=space&owner=acme',
  repository: async (world) => {
    await uploadFiles({ ...world.as('alice'), ...BERT, summary: 'Add a card and a configuration', files: FILES });
    return '/acme/bert';
  },
  folder: () => '/acme/bert/tree/main/data',
  'file-text': () => '/acme/bert/blob/main/config.json',
  'file-markdown': () => '/acme/bert/blob/main/README.md',
  'file-picture': () => '/acme/bert/blob/main/data/moon.png',
  'file-binary': () => '/acme/bert/blob/main/data/weights.bin',
  commits: () => '/acme/bert/commits/main',
  commit: async (world) => `/acme/bert/commit/${await commitAt({ ...world.as('alice'), ...BERT })}`,
  'repository-settings': () => '/acme/bert/settings',
  'access-requests': () => '/acme/bert/settings/access-requests',
  branches: () => '/acme/bert/branches',
  upload: () => '/acme/bert/upload/main/data',
  'new-file': () => '/acme/bert/new/main/data',
  'file-edit': () => '/acme/bert/edit/main/config.json',
  'repository-missing': () => '/acme/nothing/tree/main',
  jobs: () => '/jobs',
  'new-job': () => '/jobs/new',
  schedules: async (world) => {
    const jobSpec = { dockerImage: 'python:3.12', command: ['python', 'evaluate.py'], flavor: 'cpu-basic' } as const;
    const spec = { ...jobSpec, command: [...jobSpec.command] };
    await createScheduledJob({ ...world.as('alice'), namespace: 'alice', jobSpec: spec, schedule: '0 9 * * 1' });
    return '/jobs/schedules';
  },
  organizations: () => '/organizations',
  'new-organization': () => '/organizations/new',
  members: () => '/organizations/acme',
  'resource-groups': () => '/organizations/acme/resource-groups',
  'resource-group': async (world) => {
    const acme = { ...world.as('alice'), organization: 'acme' };
    const users = [{ user: 'bob', role: 'write' }];
    const repos = [{ type: 'dataset', name: 'acme/letters' }] as const;
    const name = `Research ${++groups}`;
    const { id } = await createResourceGroup({
      ...acme,
      name,
      description: 'Letters and more',
      users,
      repos: [...repos],
    });
    return `/organizations/acme/resource-groups/${id}`;
  },
  roles: () => '/organizations/acme/roles',
  scim: () => '/organizations/acme/scim',
  'single-sign-on': () => '/organizations/acme/single-sign-on',
  access: () => '/organizations/acme/access?user=bob&repo=bert',
  tokens: () => '/organizations/acme/tokens',
  'audit-log': () => '/organizations/acme/audit-log',
  'notification-settings': () => '/settings',
  'sign-in-settings': () => '/settings/sign-in',
  'sign-ins': () => '/settings/sign-ins',
  'access-tokens': () => '/settings/tokens',
  'new-access-token': () => '/settings/tokens/new',
  applications: async (world) => {
    const application = { name: 'Demo', redirectUris: ['https://demo.example/callback'], tokenMinutes: 480 };
    await createApplication({ ...world.as('alice'), ...application, scopes: ['openid'], confidential: false });
    return '/settings/applications';
  },
  'device-login': () => '/oauth/device',
  watching: () => '/settings/watching',
  'mcp-tools': () => '/settings/mcp',
  'paper-claims': () => '/settings/papers',
  'not-found': () => '/inbox/nothing',
  'admin-users': () => '/admin/users',
  'admin-user': () => '/admin/users/alice',
  'quota-settings': () => '/settings/quotas',
  'organization-storage': () => '/organizations/acme/storage',
  'admin-organization': async (world) => {
    await updateQuota({ ...world.admin, name: 'acme', storageGib: 0.001 });
    return '/admin/organizations/acme';
  },
  'admin-user-full': async (world) => {
    await updateQuota({ ...world.admin, name: 'bob', storageGib: 0 });
    return '/admin/users/bob';
  },
  'admin-organizations': () => '/admin/organizations',
  'admin-dead-letters': () => '/admin/dead-letters',
  'admin-retention': () => '/admin/retention',
  'admin-settings': () => '/admin/settings',
  'admin-audit-log': () => '/admin/audit-log',
  'admin-health': async (world) => {
    world.receiver.status = 500;
    const where = { type: 'model', repo: 'acme/bert' } as const;
    await createDiscussion({ ...world.as('bob'), ...where, title: 'Is it lost?', description: 'It is.' });
    await until(
      () => getDeliveryPage({ ...world.as('alice'), webhookId: world.webhookId }),
      ({ entries }) => entries.some(({ responseStatus }) => responseStatus === 500),
    );
    return '/admin';
  },
};
