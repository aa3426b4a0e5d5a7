import { createAccessToken } from '@moonbase/client/access-tokens';
import { createCollection } from '@moonbase/client/collections';
import { changeBucketFiles } from '@moonbase/client/content';
import { createDiscussion } from '@moonbase/client/discussions';
import { runJob } from '@moonbase/client/jobs';
import { denyMemberToken, revokeMemberTokenById } from '@moonbase/client/member-tokens';
import { createMirror } from '@moonbase/client/mirrors';
import { whoAmI } from '@moonbase/client/profiles';
import { createBranch, createBucket, createRepo } from '@moonbase/client/repositories';
import { updateMuted, updateWatched } from '@moonbase/client/watching';
import { openWebhookStream } from '@moonbase/client/webhook-streams';
import { createWebhook, listDeliveries } from '@moonbase/client/webhooks';
import { PERMISSIONS } from '@moonbase/contract/accounts/access-tokens';
import type { RouteDeclaration } from '@moonbase/contract/route';
import { allRoutes } from '@moonbase/contract/routes';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask } from '../../packages/server/test/ask.ts';
import { type Connection, collect, person, startHub, type TestHub } from '../../packages/server/test/harness.ts';
import { type Receiver, startReceiver } from '../../packages/server/test/receiver.ts';
import { createTestRunner } from '../../packages/server/test/test-runner.ts';
import { bodyOf, READS, SENDS } from './authority-requests.ts';

/**
 * Calls every operation of the contract with every kind of token. bob writes in three organizations; each has a private
 * repository `vault…`, whose name contains the canary, and a private `secret`, whose discussion and branch contain the
 * canary. No request contains the canary, so an answer that does has it from the hub.
 */
/** There is one canary per organization: bob's tokens read those of the organizations that admit them. */
const canaryOf = (org: Org) => `c4n4ry-of-${org}`;
const ORGS = ['open', 'wait', 'fine'] as const;
type Org = (typeof ORGS)[number];
const NOBODY = 'f'.repeat(24);

let hub: TestHub;
let receiver: Receiver;
let pathValues: Record<Org, Readonly<Record<string, string>>>;
let bobId: string;

/** A kind of token, and the access that the rules give it: the oracle of this test. */
interface Column {
  readonly caller: Connection;
  readonly org: Org;
  /** Whether the token reads private content of the organization. */
  readonly reads: boolean;
  /** Whether the token reads private collections of the organization. */
  readonly readsCollections: boolean;
  /** The permissions of the token on the organization and on bob: `all`, or `read` for those that end in `.read`. */
  readonly words: readonly string[] | 'all' | 'read';
}
const columns = new Map<string, Column>();

beforeAll(async () => {
  hub = await startHub({ MOONBASE_MAX_WEBHOOKS: '1000' }, { runner: createTestRunner() });
  receiver = await startReceiver();
  const members = ['ada', 'bob', 'dana', 'rex'].map((user) => ({
    user,
    role: user === 'ada' ? ('admin' as const) : ('write' as const),
  }));
  await hub.apply({
    users: members.map(({ user }) => person(user)),
    organizations: ORGS.map((name) => ({ name, plan: 'enterprise' as const, members })),
  });
  bobId = (await whoAmI(hub.as('bob'))).id;
  pathValues = { open: await fill('open'), wait: await fill('wait'), fine: await fill('fine') };
  await setPolicy('wait', 'approval');
  await setPolicy('fine', 'fine-grained');
  await makeColumns();
});
afterAll(async () => {
  await hub[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

/** Creates the content of an organization and bob's part in it; returns the values for path parameters. */
async function fill(org: Org): Promise<Readonly<Record<string, string>>> {
  const [ada, bob] = [hub.as('ada'), hub.as('bob')];
  const canary = canaryOf(org);
  const vault = `${org}/vault-${canary}`;
  await createRepo({ ...bob, repo: `${org}/secret`, private: true });
  await createBucket({ ...bob, repo: `${org}/secret`, private: true });
  const file = { type: 'addFile', path: 'main/.gitattributes', xetHash: '0'.repeat(64) };
  await changeBucketFiles({ ...bob, repo: `${org}/secret`, operations: new Blob([JSON.stringify(file)]) });
  await createRepo({ ...bob, repo: vault, private: true });
  await createBucket({ ...bob, repo: vault, private: true });
  const space = { ...bob, type: 'space' as const, repo: `${org}/secret`, private: true };
  await createRepo({
    ...{ ...space, sdk: 'docker', volumes: [{ type: 'model', source: vault, mountPath: '/m' }] },
    variables: [{ key: 'SHOWN', value: canary }],
    secrets: [{ key: 'HIDDEN', value: 'unheard of', description: canary }],
  });
  const secret = { type: 'model' as const, repo: `${org}/secret` };
  await createBranch({ ...bob, ...secret, branch: canary });
  await createMirror({ ...bob, ...secret, url: 'http://127.0.0.1:9/letters', overwrite: true });
  const repos = [vault, `${org}/secret`].map((name) => ({ type: 'model', name }));
  const { slug: collection } = await createCollection({
    ...bob,
    ...{ title: canary, namespace: org, private: true, item: { type: 'model', id: vault } },
  });
  const group = { name: 'lab', users: [{ user: 'bob', role: 'read' }], repos };
  const made = await ask(ada, `POST /api/organizations/${org}/resource-groups`, group);
  const { id: resourceGroupId } = (await made.json()) as { id: string };
  expect((await ask(ada, `POST /api/collections/${collection}/resource-group`, { resourceGroupId })).status).toBe(200);
  await hub.drain();
  const watched = [{ type: 'model' as const, name: vault }];
  const { webhook } = await createWebhook({
    ...bob,
    webhook: { url: receiver.url, watched, domains: ['repo', 'discussion'] },
  });
  const { stream } = await openWebhookStream({ ...bob, stream: { watched } });
  await updateWatched({ ...bob, add: [{ type: 'repo', id: vault }], delete: [] });
  for (const repo of [vault, `${org}/secret`])
    await createDiscussion({ ...ada, type: 'model', repo, title: `About ${canary}`, description: `${canary} @bob` });
  await hub.drain();
  const rows = hub.database.read.selectFrom('discussions').innerJoin('repositories', 'repositories.id', 'repo_id');
  const ofName = (name: string) =>
    rows
      .innerJoin('discussion_events', 'discussion_events.discussion_id', 'discussions.id')
      .innerJoin('accounts', 'accounts.id', 'repositories.owner_id')
      .select(['discussions.id', 'discussion_events.id as commentId'])
      .where('repositories.name_key', '=', name)
      .where('accounts.name_key', '=', org)
      .executeTakeFirstOrThrow();
  const { id: discussionId } = await ofName(`vault-${canary}`);
  await updateMuted({ ...bob, add: [{ type: 'discussion', id: discussionId }], delete: [] });
  const [entry] = await collect(listDeliveries({ ...bob, webhookId: webhook.id }));
  const volumes = [{ type: 'model' as const, source: vault, mountPath: '/m' }];
  const jobSpec = { flavor: 'cpu-basic' as const, dockerImage: 'python:3.12', command: ['true'], volumes };
  const { id: jobId } = await runJob({ ...bob, namespace: 'bob', job: jobSpec });
  const scheduled = await ask(bob, 'POST /api/scheduled-jobs/bob', { jobSpec, schedule: '@daily', suspend: true });
  const { id: scheduledJobId } = (await scheduled.json()) as { id: string };
  const replay = await ask(bob, `POST /api/settings/webhooks/${webhook.id}/logs/replay`, { status: 'throttled' });
  return {
    ...{ collectionId: collection.slice(-24), itemId: NOBODY },
    ...{ name: org, namespace: org, repo: 'secret', repoType: 'models', username: 'ada', rev: 'main', num: '1' },
    ...{
      commentId: (await ofName('secret')).commentId,
      resourceGroupId,
      webhookId: webhook.id,
      logId: entry?.id ?? '',
    },
    ...{ replayId: ((await replay.json()) as { id: string }).id, streamId: stream.id, deliveryId: NOBODY },
    ...{
      jobId,
      scheduledJobId,
      tokenId: NOBODY,
      code: 'nobodyMadeThis',
      sessionId: NOBODY,
      identityId: NOBODY,
      clientId: NOBODY,
      grantId: NOBODY,
      publisherId: NOBODY,
      lockId: NOBODY,
      role: 'reviewer',
      invitationId: NOBODY,
      claimId: NOBODY,
    },
    ...{
      paperId: '2401.00001',
      postSlug: 'a-post',
      slug: 'an-article',
      file: 'x.svg',
      perms: 'read',
      action: 'enable',
      sha: 'a'.repeat(64),
      kind: 'run',
      address: 'x.y',
      ...{ owner: NOBODY, prefix: 'default', hash: 'a'.repeat(64) },
    },
    ...{
      token: 'x',
      userId: bobId,
      groupId: NOBODY,
      linkId: NOBODY,
      status: 'pending',
      schemaId: 'x',
      resourceTypeId: 'x',
      id: NOBODY,
      discussionId,
    },
  };
}

async function setPolicy(org: Org, token_policy: 'approval' | 'fine-grained'): Promise<void> {
  const { id: org_id } = await hub.database.read
    .selectFrom('accounts')
    .select('id')
    .where('name_key', '=', org)
    .executeTakeFirstOrThrow();
  await hub.database.transaction((tx) =>
    tx
      .insertInto('organization_settings')
      .values({
        org_id,
        members_private: 0,
        group_creators: 'admin',
        join_domains: '[]',
        token_policy,
        deleted_at: null,
      })
      .onConflict((conflict) => conflict.column('org_id').doUpdateSet({ token_policy }))
      .execute(),
  );
}

let made = 0;
async function tokenOf(user: string, given?: 'read' | readonly { _id: string; words: readonly string[] }[]) {
  made += 1;
  const scopes =
    typeof given === 'object' &&
    given.map(({ _id, words }) => ({ entity: { _id, type: 'org' }, permissions: [...words] }));
  const { id, token } = await createAccessToken({
    ...hub.as(user),
    displayName: `token ${made}`,
    ...(scopes
      ? { role: 'fineGrained', fineGrained: { scoped: scopes as never } }
      : { role: given ? 'read' : 'write' }),
  });
  return { ...hub.with(token), id };
}

async function makeColumns(): Promise<void> {
  const ada = { ...hub.as('ada'), name: 'open' };
  const { orgs } = await whoAmI(hub.as('bob'));
  const open = orgs.find(({ name }) => name === 'open')?.id ?? '';
  const on = (words: readonly string[]) =>
    tokenOf('bob', [
      { _id: open, words },
      { _id: bobId, words },
    ]);
  const add = (
    name: string,
    caller: Connection,
    reads: boolean,
    words: Column['words'],
    org: Org = 'open',
    readsCollections = reads,
  ) => columns.set(name, { caller, org, reads, readsCollections, words });
  add('write', hub.as('bob'), true, 'all');
  add('read', await tokenOf('bob', 'read'), true, 'read');
  for (const word of PERMISSIONS) {
    const opens = word === 'collection.read' || word === 'collection.write';
    add(word, await on([word]), word === 'repo.content.read' || word === 'repo.write', [word], 'open', opens);
    const both = ['repo.content.read', word];
    add(`repo.content.read and ${word}`, await on([...new Set(both)]), true, both, 'open', opens);
  }
  add('all on another entity', await tokenOf('bob', [{ _id: bobId, words: PERMISSIONS }]), false, PERMISSIONS);
  const [revoked, denied] = [await tokenOf('bob'), await tokenOf('bob')];
  await revokeMemberTokenById({ ...ada, tokenId: revoked.id });
  await denyMemberToken({ ...ada, tokenId: denied.id });
  add('revoked', revoked, false, 'all');
  add('denied', denied, false, 'all');
  add('pending', await tokenOf('bob'), false, 'all', 'wait');
  add('under the policy fine-grained', await tokenOf('bob'), false, 'all', 'fine');
  const [disabled, removed] = [await tokenOf('dana'), await tokenOf('rex')];
  await ask(hub.admin, 'POST /api/admin/users/dana/disable');
  await hub.apply({ users: [{ name: 'rex', state: 'absent' }] });
  add('of a disabled user', disabled, false, []);
  add('of a removed user', removed, false, []);
}

const IMPLIED: Readonly<Record<string, readonly string[]>> = {
  'collection.read': ['collection.write'],
  'user.webhooks.read': ['user.webhooks.write'],
  'user.settings.read': ['user.settings.write'],
  'user.notifications.read': ['user.notifications.write'],
  'job.read': ['job.write'],
  'resourceGroup.read': ['resourceGroup.write', 'org.read', 'org.write'],
};

/** Whether a token has the permission that an operation requires. */
function has({ words }: Column, authority: RouteDeclaration['authority']): boolean {
  if (words === 'all' || authority === 'repo.content.read' || authority === 'collection.read') return true;
  if (words === 'read') return authority.endsWith('.read');
  return [authority, ...(IMPLIED[authority] ?? [])].some((word) => words.includes(word));
}

/** Returns the path of an operation for the column's organization; operations on jobs get bob's. */
function pathOf({ path }: RouteDeclaration, org: Org): string {
  const { jobId = '', scheduledJobId = '' } = pathValues[org];
  const ofJobs = { namespace: 'bob', jobId: path.includes('scheduled') ? scheduledJobId : jobId };
  const values: Readonly<Record<string, string>> = {
    ...pathValues[org],
    ...(/\/(scheduled-)?jobs\//.test(path) && ofJobs),
    ...(/\/(resolve|raw|resolve-cache)\//.test(path) && { rev: 'main/.gitattributes' }),
    ...(path.includes('/compare/') && { rev: 'main..main' }),
    ...(path.startsWith('/api/collections/') && { slug: pathValues[org].collectionId ?? '' }),
  };
  const query = path.endsWith('/info/refs') ? '?service=git-upload-pack' : '';
  return (path + query).replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`Say what stands for {${name}} of ${path} in this test`);
    return value;
  });
}

/** Returns the body of an answer; reads a stream until the canary appears or nothing more is ready. */
async function answerTo(route: RouteDeclaration, { caller, org }: Column, waitFor: boolean) {
  const body = bodyOf(route, pathValues[org]);
  const request = `${route.method} ${pathOf(route, org)}` as const;
  if (!route.otherAnswers?.[200]?.includes('event-stream')) {
    const answer = await ask(caller, request, body);
    return {
      status: answer.status,
      text: `${await answer.text()} ${JSON.stringify([...answer.headers])}`,
    };
  }
  const closing = new AbortController();
  const answer = await fetch(caller.hubUrl + pathOf(route, org), {
    headers: { authorization: `Bearer ${caller.accessToken}` },
    signal: closing.signal,
  });
  if (answer.status !== 200) return { status: answer.status, text: await answer.text() };
  let text = '';
  const reader = answer.body?.getReader();
  // Streams of jobs send nothing while no job runs.
  const speaks = !route.path.startsWith('/api/jobs/');
  while (speaks && (text === '' || (waitFor && !text.includes(canaryOf(org))))) {
    const chunk = await reader?.read();
    if (!chunk || chunk.done) break;
    text += new TextDecoder().decode(chunk.value);
  }
  closing.abort();
  return { status: 200, text };
}

let cells = 0;
const NARROW = [
  'all on another entity',
  'revoked',
  'denied',
  'pending',
  'under the policy fine-grained',
  'of a disabled user',
  'of a removed user',
];

test.each(NARROW)('no operation reveals private content to a token that is: %s', async (name) => {
  const column = columns.get(name)!;
  const before = receiver.received.length;
  const leaks: string[] = [];
  for (const route of allRoutes) {
    const { status, text } = await answerTo(route, column, false);
    cells += 1;
    if (text.includes(canaryOf(column.org))) leaks.push(`${route.id}: ${status} ${text.slice(0, 200)}`);
    if (status >= 500 && status !== 501) leaks.push(`${route.id}: ${status}`);
    if (/^of a/.test(name) && route.authority !== 'public' && status !== 401) leaks.push(`${route.id}: ${status}`);
  }
  await hub.drain();
  expect(leaks).toEqual([]);
  expect(receiver.received.slice(before)).toEqual([]);
});

test('readable data is returned exactly by the operations that read it, whatever was tried before', async () => {
  const wrong: string[] = [];
  for (const [name, column] of columns)
    for (const [id, sign] of Object.entries({ ...READS, ...SENDS })) {
      const route = allRoutes.find((declared) => declared.id === id)!;
      const alive = !name.startsWith('of a');
      const ofCollections = route.path.startsWith('/api/collections');
      // The quick search finds both.
      const readsEither =
        ((ofCollections || id.startsWith('quickSearch')) && column.readsCollections) ||
        (!ofCollections && column.reads);
      const expected = alive && readsEither && has(column, route.authority);
      const { status, text } = await answerTo(route, column, expected && sign === 'canary');
      cells += 1;
      const shown = text.includes(canaryOf(column.org));
      const got = sign === 'canary' ? shown : status === 200;
      if (got !== expected) wrong.push(`${name} × ${id}: ${status}, expected ${expected}`);
      if (!expected && shown) wrong.push(`${name} × ${id}: has it`);
    }
  expect(wrong).toEqual([]);
});

test('every operation is in the table, and each reading operation states whether it shows the data', () => {
  expect(cells).toBeGreaterThan(600);
  const silent = allRoutes.filter(
    ({ id, method, authority, path }) =>
      method === 'GET' &&
      !(id in READS) &&
      (/^(repo|collection|user\.webhooks|user\.notifications|job|resourceGroup)\./.test(authority) ||
        path.includes('{repo}')),
  );
  expect(silent.map(({ id }) => id).sort()).toEqual(
    [
      // These return numbers, or repeat their own parameters.
      'checkWriteAccess',
      'countDeliveries',
      'getRepoSettings',
      'listSampleEvents',
      'listWebhookFigures',
      'countJobs',
      'getReplay',
      'getPullRequestStorage',
      'getRepoStorage',
      // These return the same content as their counterparts for models.
      'advertiseGitOfType',
      'downloadFile',
      'downloadRawFile',
      'listDatasets',
      'listKernels',
      'listSpaces',
      'listLocksOfType',
      // These need a gated repository.
      'getUserAccessReport',
      'getUserAccessReportOfType',
      'listAccessRequests',
      'searchSpaces',
      // These always refuse: nothing runs.
      'streamSpaceEvents',
      'streamSpaceMetrics',
      // These show what is public, or what is liked: nothing here.
      'listDatasetTags',
      'listModelTags',
      'listTrending',
      // These list what belongs to bob, who owns nothing here.
      'listRepos',
      // This needs notifications that are done.
      'listDoneNotifications',
      // The stream sends changes only; the loop above checks its beginning.
      'streamNotifications',
    ].sort(),
  );
});
