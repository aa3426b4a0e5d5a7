import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startHubProcess } from '../hub-process.ts';

const TOKEN = 'hf_administratorOfTheWorld';
const CALLER = 'admin';
const ORGANIZATION = 'acme';

const DOCUMENT = {
  users: [
    { name: 'alice', fullname: 'Alice', tokens: [{ name: 'laptop', token: 'hf_aliceOnHerLaptop' }] },
    { name: 'bob', tokens: [{ name: 'laptop', token: 'hf_bobOnHisLaptop00' }] },
  ],
  organizations: [
    {
      name: ORGANIZATION,
      plan: 'plus',
      members: [
        { user: CALLER, role: 'admin' },
        { user: 'alice', role: 'write' },
        { user: 'bob', role: 'read' },
      ],
    },
  ],
  repos: ['model', 'dataset', 'space', 'kernel'].flatMap((type) =>
    [CALLER, ORGANIZATION].map((owner) => ({ type, name: `${owner}/bert` })),
  ),
  papers: [{ id: '2401.00001', title: 'On letters', authors: [{ name: 'Alice' }, { name: 'Admin' }] }],
  posts: [{ slug: 'hello', author: CALLER, title: 'Hello' }],
  articles: [
    { slug: 'hello', author: CALLER, title: 'Hello' },
    { slug: 'news', author: CALLER, title: 'News', canonical: true },
  ],
};

type Answered = Record<string, unknown>;

export interface FilledHub extends AsyncDisposable {
  readonly url: string;
  /** The caller, a site administrator who owns the organization, and the id of one item of each kind. */
  readonly names: Readonly<Record<string, string>>;
  errors(): string;
}

/** Starts a hub in a process of its own with one item of each kind. */
export async function startFilledHub(folder: string): Promise<FilledHub> {
  const sink = createServer((request, response) => {
    request.resume();
    response.end();
  }).listen(0, '127.0.0.1');
  await once(sink, 'listening');
  const sinkUrl = `http://127.0.0.1:${(sink.address() as AddressInfo).port}/`;
  const hub = await startHubProcess({
    MOONBASE_DATA_DIR: folder,
    MOONBASE_ADMIN_TOKEN: TOKEN,
    // No container engine listens there, so generated commands never run.
    MOONBASE_JOBS_RUNNER: 'docker',
    MOONBASE_JOB_IMAGES: '*',
    MOONBASE_DOCKER_URL: `unix://${folder}/no-engine.sock`,
    MOONBASE_MAX_WEBHOOKS: '10000',
  });
  const close = async () => {
    await hub.stop();
    sink.close();
    sink.closeAllConnections();
  };
  try {
    const names = await fill(hub.url, sinkUrl);
    return { url: hub.url, errors: () => hub.errors(), names, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function fill(hubUrl: string, sinkUrl: string): Promise<Record<string, string>> {
  async function ask(method: string, path: string, body?: unknown, token = TOKEN): Promise<Answered> {
    const answer = await fetch(hubUrl + path, {
      method,
      headers: { Authorization: `Bearer ${token}`, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text) as Answered;
  }
  const post = (path: string, body: unknown = {}) => ask('POST', path, body);
  /** Returns the id in an answer, or in a field of an answer. */
  const idOf = (answered: unknown): string => {
    const found = (answered as { id?: unknown } | undefined)?.id;
    if (typeof found !== 'string') throw new Error(`No id in ${JSON.stringify(answered)}`);
    return found;
  };

  const org = `/api/organizations/${ORGANIZATION}`;
  const scim = `${org}/scim/v2`;
  const random = () => randomBytes(4).toString('hex');
  await ask('PUT', '/api/admin/hub', DOCUMENT);
  for (const owner of [CALLER, ORGANIZATION]) {
    await post(`/api/buckets/${owner}/bert`);
    await post(`/api/models/${owner}/bert/discussions`, { title: 'Licence?', description: 'Which one?' });
  }
  const comment = await post(`/api/models/${ORGANIZATION}/bert/discussions/1/comment`, { comment: 'MIT' });
  const paperComment = await post('/api/papers/2401.00001/comment', { comment: 'Well said' });
  const postComment = await post(`/api/posts/${CALLER}/hello/comment`, { comment: 'Hello' });
  await ask('POST', '/api/settings/papers/claim', { paperId: '2401.00001' }, 'hf_aliceOnHerLaptop');
  const claims = (await ask('GET', '/api/admin/papers/claims')) as unknown as Answered[];
  const { webhook } = await post('/api/settings/webhooks', {
    url: sinkUrl,
    domains: ['repo', 'discussion'],
    watched: [{ type: 'org', name: ORGANIZATION }],
  });
  const test = await post(`/api/settings/webhooks/${idOf(webhook)}/test`);
  const replay = await post(`/api/settings/webhooks/${idOf(webhook)}/logs/replay`);
  const stream = await post('/api/settings/webhook-streams', {
    watched: [{ type: 'org', name: ORGANIZATION }],
    domains: ['repo'],
  });
  const job = { dockerImage: 'python:3.12', command: ['true'], flavor: 'cpu-basic', environment: {} };
  const group = await post(`${org}/resource-groups`, { name: 'letters', users: [{ user: 'bob', role: 'read' }] });
  await post(`${org}/roles`, { name: 'reviewer', base: 'read' });
  const invitation = await post(`${org}/invitations`, { email: 'carol@example.com', role: 'read' });
  const scimUser = await post(`${scim}/Users`, {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    userName: `dave-${random()}`,
    name: { givenName: 'Dave', familyName: 'D' },
    emails: [{ value: 'dave@example.com', primary: true }],
    externalId: 'dave',
    active: true,
  });
  const scimGroup = await post(`${scim}/Groups`, {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
    displayName: 'Editors',
    externalId: 'editors',
  });
  const link = await post(`${org}/scim/links`, { groupId: idOf(scimGroup), role: 'write' });
  const token = await post('/api/settings/tokens', { displayName: 'spare', role: 'read' });
  const whoami = await ask('GET', '/api/settings/tokens');

  return {
    TOKEN,
    CALLER,
    ORGANIZATION,
    SINK: sinkUrl,
    COMMENT_ID: idOf(comment.newMessage),
    PAPER_COMMENT_ID: idOf(paperComment.newMessage),
    POST_COMMENT_ID: idOf(postComment.newMessage),
    CLAIM_ID: idOf(claims[0]),
    WEBHOOK_ID: idOf(webhook),
    DELIVERY_ID: idOf(test),
    REPLAY_ID: idOf(replay),
    STREAM_ID: idOf(stream.stream),
    JOB_ID: idOf(await post(`/api/jobs/${ORGANIZATION}`, job)),
    SCHEDULED_JOB_ID: idOf(
      await post(`/api/scheduled-jobs/${ORGANIZATION}`, { jobSpec: job, schedule: '@hourly', suspend: true }),
    ),
    RESOURCE_GROUP_ID: idOf(group),
    INVITATION_ID: idOf(invitation),
    SCIM_USER_ID: idOf(scimUser),
    SCIM_GROUP_ID: idOf(scimGroup),
    SCIM_LINK_ID: idOf(link),
    OTHER_TOKEN_ID: idOf(token),
    TOKEN_ID: idOf((whoami as unknown as Answered[]).find(({ displayName }) => displayName !== 'spare')),
  };
}
