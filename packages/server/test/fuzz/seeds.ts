import { createHash } from 'node:crypto';
import { createAccessToken } from '@moonbase/client/access-tokens';
import { setOrganizationAvatar } from '@moonbase/client/avatars';
import { changeBucketFiles } from '@moonbase/client/content';
import { createCustomRole } from '@moonbase/client/custom-roles';
import { changeDiscussionStatus, commentDiscussion, createDiscussion } from '@moonbase/client/discussions';
import { createInvitation } from '@moonbase/client/invitations';
import { cancelJob, runJob } from '@moonbase/client/jobs';
import { lfsBatch, lfsBatchOfType, lockFileOfType, putLargeFile } from '@moonbase/client/large-files';
import { addMember } from '@moonbase/client/members';
import { createMirror } from '@moonbase/client/mirrors';
import { createOrganization, deleteOrganization, updateOrganization } from '@moonbase/client/organizations';
import { claimPaper, commentPaper, getPaper, listPaperClaims } from '@moonbase/client/papers';
import { commentArticle, commentPost } from '@moonbase/client/posts';
import { whoAmI } from '@moonbase/client/profiles';
import { createBranch, createTag } from '@moonbase/client/repositories';
import { createResourceGroup } from '@moonbase/client/resource-groups';
import { createScheduledJob } from '@moonbase/client/scheduled-jobs';
import { createScimGroup, createScimUser } from '@moonbase/client/scim';
import { createScimLink } from '@moonbase/client/scim-links';
import { setSpaceSecret, setSpaceVariable, setSpaceVolumes } from '@moonbase/client/spaces';
import { replayDeliveries } from '@moonbase/client/webhook-replays';
import { openWebhookStream, testWebhookStream } from '@moonbase/client/webhook-streams';
import { createWebhook, testWebhook } from '@moonbase/client/webhooks';
import { REPO_TYPES } from '@moonbase/contract/primitives';
import type { Method } from '@moonbase/contract/route';
import { createAddresses } from '../../src/lfs/addresses.ts';
import { NEVER } from '../../src/platform/queue/due-store.ts';
import { createSigner } from '../../src/platform/secrets.ts';
import { type Connection, person, type TestHub } from '../harness.ts';
import { blackPng } from '../pictures.ts';
import { SECRET_KEY } from '../unsubscribe-token.ts';

export const READER = 'hf_readerOfAlice00';
export const FINE_GRAINED = 'hf_fineGrainedOfAlice';
/** Most requests need discussions and refs, which these types have. */
const TYPES = ['model', 'dataset'] as const;

export const DOCUMENT = {
  users: [
    {
      ...person('alice'),
      email: 'alice@example.com',
      tokens: [
        ...person('alice').tokens,
        { name: 'reader', role: 'read' as const, token: READER },
        {
          name: 'fine',
          role: 'fineGrained' as const,
          token: FINE_GRAINED,
          scopes: { scoped: [], global: ['user.webhooks.read', 'discussion.write'] },
        },
      ],
    },
    person('bob'),
    person('eve'),
  ],
  organizations: [
    {
      name: 'acme',
      plan: 'plus' as const,
      members: [{ user: 'alice', role: 'admin' as const }, { user: 'eve' }],
    },
  ],
  repos: [
    ...REPO_TYPES.flatMap((type) => ['alice', 'acme'].map((owner) => ({ type, name: `${owner}/things` }))),
    { type: 'model' as const, name: 'alice/more', private: true },
    { type: 'model' as const, name: 'bob/things', private: true },
  ],
  papers: [{ id: '2401.01234', authors: [{ name: 'Bob', user: 'bob' }, { name: 'alice' }] }],
  posts: [{ slug: 'hello', author: 'alice' }],
  articles: [{ slug: 'long-read', author: 'alice', canonical: true }],
};

/** Creates a webhook on everything that alice may see; `more` adds others, each with a log entry. */
export async function seedWebhooks(hub: TestHub, words: Map<string, string>, more: boolean): Promise<void> {
  const add = async (name: string, owner: string, watched: { type: 'user' | 'org' | 'model'; name: string }[]) => {
    const connection = hub.as(owner);
    const target = { watched, url: 'http://127.0.0.1:9/hook', domains: ['repo' as const, 'discussion' as const] };
    const { webhook } = await createWebhook({ ...connection, webhook: { ...target, secret: 'hush' } });
    words.set(`§${name}`, webhook.id);
    if (!more) return;
    const { id } = await testWebhook({ ...connection, webhookId: webhook.id });
    words.set(`§log of ${name}`, id).set(`§cursor of ${name}`, Buffer.from(id).toString('base64url'));
  };
  const all = ['alice', 'acme'].map((name) => ({ type: name === 'acme' ? 'org' : 'user', name }) as const);
  await add('webhook', 'alice', all);
  if (!more) return;
  await add('second', 'alice', [{ type: 'model', name: 'alice/not-yet' }]);
  await add('foreign', 'bob', [{ type: 'user', name: 'bob' }]);
}

/** Adds a task that failed too often. */
export async function seedDeadLetter({ database }: TestHub, words: Map<string, string>): Promise<void> {
  const id = '0'.repeat(24);
  const kind = 'webhooks.purge';
  const task = { id, key: id, kind, data: '{"webhookId":"none"}', due_at: NEVER, attempts: 5, created_at: 0 };
  const letter = { id, queue: 'tasks', item_id: id, kind, error: 'Error: no', failures: 5, deaths: 0 } as const;
  await database.transaction((tx) => tx.insertInto('tasks').values(task).execute());
  await database.transaction((tx) =>
    tx
      .insertInto('dead_letters')
      .values({ ...letter, created_at: 0, set_aside_at: 0 })
      .execute(),
  );
  words.set('§dead letter', id);
}

/** Adds two streams of alice, the first with a waiting delivery, and one of bob. */
export async function seedStreams(hub: TestHub, words: Map<string, string>): Promise<void> {
  for (const [name, owner] of [
    ['stream', 'alice'],
    ['second stream', 'alice'],
    ['foreign stream', 'bob'],
  ] as const)
    words.set(`§${name}`, (await openWebhookStream({ ...hub.as(owner), stream: {} })).stream.id);
  const { id } = await testWebhookStream({ ...hub.as('alice'), streamId: words.get('§stream') ?? '' });
  words.set('§delivery of stream', id);
}

/** Adds a replay of each of two webhooks of alice. */
export async function seedReplays(alice: Connection, words: Map<string, string>): Promise<void> {
  for (const name of ['webhook', 'second']) {
    const replay = await replayDeliveries({ ...alice, webhookId: words.get(`§${name}`) ?? '' });
    if ('id' in replay) words.set(`§replay of ${name}`, replay.id);
  }
}

/**
 * Adds to a model and a dataset of alice discussion 1, draft 2, open pull request 3 and closed pull request 4, each
 * with a comment.
 */
export async function seedDiscussions(alice: Connection, words: Map<string, string>): Promise<void> {
  for (const type of TYPES) {
    const repo = { ...alice, type, repo: 'alice/things' };
    for (const pullRequest of [false, true, true, true]) {
      const { num } = await createDiscussion({ ...repo, title: 'A title', description: 'A text', pullRequest });
      const { newMessage } = await commentDiscussion({ ...repo, num, comment: 'A comment' });
      words.set(`§comment of ${type}s ${num}`, newMessage.id);
    }
    await changeDiscussionStatus({ ...repo, num: 3, status: 'open' });
    await changeDiscussionStatus({ ...repo, num: 4, status: 'closed' });
  }
}

/** Adds a picture of acme. */
export async function seedPicture(alice: Connection, words: Map<string, string>): Promise<void> {
  const picture = new Blob([new Uint8Array(blackPng(8, 8))]);
  const { avatarUrl } = await setOrganizationAvatar({ ...alice, name: 'acme', picture });
  words.set('§picture', avatarUrl.replace(/.*\//, ''));
}

/** Lets requests name the id of a repository. */
export async function seedRepoId({ database }: TestHub, words: Map<string, string>): Promise<void> {
  const { id } = await database.read.selectFrom('repositories').select('id').limit(1).executeTakeFirstOrThrow();
  words.set('§dead letter', id);
}

/** Gives the Spaces a variable, a secret and a volume. */
export async function seedSpaces(hub: TestHub): Promise<void> {
  const alice = hub.as('alice');
  for (const repo of ['alice/things', 'acme/things']) {
    await setSpaceVariable({ ...alice, repo, key: 'MODEL', value: 'alice/things' });
    await setSpaceSecret({ ...alice, repo, key: 'TOKEN', value: 'hush' });
    await setSpaceVolumes({ ...alice, repo, volumes: [{ type: 'model', source: 'alice/things', mountPath: '/data' }] });
  }
}

/** Makes mirrors of a remote that does not answer; requests name one by the word of another id. */
export async function seedMirror(hub: TestHub, words: Map<string, string>): Promise<void> {
  const url = 'http://127.0.0.1:9/letters';
  for (const type of TYPES)
    for (const owner of ['alice', 'acme'])
      await createMirror({ ...hub.as('alice'), type, repo: `${owner}/things`, url, overwrite: true });
  const { id } = await hub.database.read.selectFrom('mirrors').select('id').limit(1).executeTakeFirstOrThrow();
  words.set('§dead letter', id);
}

/** Adds two pictures as large files: one that a model and a dataset of alice have, and one that is not uploaded yet. */
export async function seedLargeFile(hub: TestHub, words: Map<string, string>, method: Method): Promise<void> {
  const alice = hub.as('alice');
  const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
  const [there, coming] = [blackPng(1, 1), blackPng(600, 300)].map((picture) => new Uint8Array(picture));
  if (!there || !coming) return;
  const object = { oid: sha256Of(there), size: there.length };
  for (const type of TYPES) {
    const repo = { ...alice, repo: 'alice/things', operation: 'upload' as const, objects: [object] };
    const { objects } = await (type === 'model' ? lfsBatch(repo) : lfsBatchOfType({ ...repo, type }));
    const address = objects[0]?.actions?.upload?.href.replace(/.*\//, '') ?? '';
    await putLargeFile({ ...alice, address, file: new Blob([there]) });
  }
  const { id: repoId } = await hub.database.read
    .selectFrom('repo_files')
    .innerJoin('repositories', 'repositories.id', 'repo_files.repo_id')
    .select('repositories.id')
    .where('repositories.type', '=', 'model')
    .executeTakeFirstOrThrow();
  const { id: userId } = await whoAmI(alice);
  const addresses = createAddresses({ signer: createSigner(SECRET_KEY, 'addresses of files'), clock: hub.clock });
  const of = (bytes: Uint8Array) => ({ repoId, userId, sha256: sha256Of(bytes), size: bytes.length });
  const permission = 'repo.write';
  const url = {
    GET: () => addresses.urlFor('', { what: 'get', ...of(there) }),
    PUT: () => addresses.urlFor('', { what: 'put', ...of(coming), permission }),
    POST: () => addresses.urlFor('', { what: 'complete', ...of(there), permission, upload: 'f'.repeat(32) }),
  };
  words.set('§large file', object.oid);
  if (method === 'GET' || method === 'PUT' || method === 'POST')
    words.set('§upload', url[method]().replace(/.*\//, ''));
}

/** Adds a lock of a path of a model and of a dataset of alice. */
export async function seedLocks(alice: Connection, words: Map<string, string>): Promise<void> {
  for (const type of TYPES) {
    const { lock } = await lockFileOfType({ ...alice, type, repo: 'alice/things', path: 'a.bin' });
    words.set(`§${type} lock`, lock.id);
  }
}

/** Adds to the organization a custom role, and a group with alice and the model. */
export async function seedGroups(alice: Connection, words: Map<string, string>): Promise<void> {
  const acme = { ...alice, organization: 'acme' };
  await createCustomRole({ ...acme, name: 'guest', base: 'read' });
  const { id } = await createResourceGroup({
    ...acme,
    name: 'lab',
    users: [{ user: 'alice', role: 'write' }],
    repos: [{ type: 'model', name: 'acme/things' }],
  });
  words.set('§group', id);
}

/** Adds to acme a SCIM user, and a SCIM group that gives a role. */
export async function seedScim(alice: Connection, words: Map<string, string>): Promise<void> {
  const acme = { ...alice, name: 'acme' };
  const user = { userName: 'grace', externalId: 'e', emails: [{ value: 'grace@acme.test' }] };
  const { id: userId } = await createScimUser({ ...acme, user });
  const group = { displayName: 'Staff', members: [{ value: userId }] };
  const { id: groupId } = await createScimGroup({ ...acme, group });
  const { id: leads } = await createScimGroup({ ...acme, group: { displayName: 'Leads' } });
  const { id: linkId } = await createScimLink({ ...acme, groupId, role: 'write' });
  words.set('§scim user', userId).set('§scim group', groupId).set('§scim link', linkId).set('§scim leads', leads);
}

/** Adds a scheduled job of alice, or a job, which is canceled unless its metrics are needed. */
export async function seedJobs(alice: Connection, words: Map<string, string>, path: string): Promise<void> {
  const as = { ...alice, namespace: 'alice' };
  const scheduled = path.includes('scheduled');
  const job = { dockerImage: 'python:3.12', command: ['true'], flavor: 'cpu-basic' as const };
  const { id } = scheduled
    ? await createScheduledJob({ ...as, jobSpec: job, schedule: '@daily' })
    : await runJob({ ...as, job });
  if (!scheduled && !path.endsWith('/metrics')) await cancelJob({ ...as, jobId: id });
  words.set('§job', id);
}

/** Adds a branch and a tag to the same repositories. */
export async function seedRefs(alice: Connection): Promise<void> {
  for (const type of TYPES) {
    const repo = { ...alice, type, repo: 'alice/things' };
    await createBranch({ ...repo, branch: 'dev' });
    await createTag({ ...repo, tag: 'v1', revision: 'main' });
  }
}

/** Gives the bucket of alice a file of each of two names. */
export async function seedBucket(alice: Connection): Promise<void> {
  const lines = ['main', 'dev'].map((path) => JSON.stringify({ type: 'addFile', path, xetHash: '0'.repeat(64) }));
  await changeBucketFiles({ ...alice, repo: 'alice/things', operations: new Blob([lines.join('\n')]) });
}

/** Adds a comment on the paper, the post and the article, and bob's claim to the free author entry of the paper. */
export async function seedThreads(hub: TestHub, words: Map<string, string>): Promise<void> {
  const alice = hub.as('alice');
  const comment = 'A comment';
  const said = {
    paper: await commentPaper({ ...alice, paperId: '2401.01234', comment }),
    post: await commentPost({ ...alice, username: 'alice', postSlug: 'hello', comment }),
    article: await commentArticle({ ...alice, namespace: 'alice', slug: 'long-read', comment }),
  };
  for (const [kind, { newMessage }] of Object.entries(said)) words.set(`§comment of ${kind}`, newMessage.id);
  const { discussionId, authors } = await getPaper({ ...alice, paperId: '2401.01234' });
  const [taken, free] = authors.map(({ _id }) => _id);
  words
    .set('§paper', discussionId)
    .set('§taken', taken ?? '')
    .set('§free', free ?? '');
  for (const user of ['alice', 'bob']) words.set(`§${user}`, (await whoAmI(hub.as(user))).id);
  await claimPaper({ ...hub.as('bob'), paperId: '2401.01234', claimAuthorId: free });
  const { value: claim } = await listPaperClaims(hub.as('bob')).next();
  words.set('§claim', claim?.id ?? '');
}

/**
 * Adds to acme a second member, a domain that may join, an invitation and a token of bob; also an organization that
 * alice deleted, and a token and an invitation of alice.
 */
export async function seedOrganizations(hub: TestHub, words: Map<string, string>, own: boolean): Promise<void> {
  const acme = { ...hub.as('alice'), name: 'acme' };
  await addMember({ ...acme, username: 'bob', role: 'read' });
  await updateOrganization({ ...acme, change: { joinDomains: ['example.com'] } });
  await createOrganization({ ...hub.as('alice'), name: 'gone' });
  await deleteOrganization({ ...hub.as('alice'), name: 'gone' });
  await createOrganization({ ...hub.as('bob'), name: 'tools' });
  const ofBob = await createAccessToken({ ...hub.as('bob'), displayName: 'second', role: 'read' });
  const ofAlice = await createAccessToken({ ...hub.as('alice'), displayName: 'second', role: 'read' });
  const toSomebody = await createInvitation({ ...acme, email: 'somebody@example.com', role: 'read' });
  const toAlice = await createInvitation({ ...hub.as('bob'), name: 'tools', user: 'alice', role: 'read' });
  words.set('§token', own ? ofAlice.id : ofBob.id).set('§invitation', own ? toAlice.id : toSomebody.id);
}
