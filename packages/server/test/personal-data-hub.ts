import { createAccessToken } from '@moonbase/client/access-tokens';
import { createApplication } from '@moonbase/client/applications';
import { addCollectionItem, createCollection, upvoteCollection } from '@moonbase/client/collections';
import { changeDiscussionStatus, commentDiscussion, createDiscussion } from '@moonbase/client/discussions';
import { askAccess } from '@moonbase/client/gating';
import { createInvitation } from '@moonbase/client/invitations';
import { runJob } from '@moonbase/client/jobs';
import { lockFile } from '@moonbase/client/large-files';
import { likeRepo } from '@moonbase/client/likes';
import { deleteNotifications } from '@moonbase/client/notifications';
import { claimPaper, commentPaper } from '@moonbase/client/papers';
import { createRepo, updateRepoSettings } from '@moonbase/client/repositories';
import { createResourceGroup } from '@moonbase/client/resource-groups';
import { createScheduledJob } from '@moonbase/client/scheduled-jobs';
import { updateMuted, updateWatched } from '@moonbase/client/watching';
import { createWebhook } from '@moonbase/client/webhooks';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { SECOND } from './clock.ts';
import { type Connection, person, startHub, type TestHub, tokenOf } from './harness.ts';
import { openProgram } from './oauth-programs.ts';
import { plainHashing } from './plain-hashing.ts';
import { PASSWORD, withPassword } from './signed-in.ts';
import { createTestRunner } from './test-runner.ts';
import { totpCode } from './totp-code.ts';

/** A line of an export. */
export type Line = Readonly<Record<string, unknown>> & { readonly section: string };

/** Returns the text of an export, of the caller or, with a name, of a user. */
export async function textOf(caller: Pick<Connection, 'hubUrl' | 'accessToken'>, name?: string): Promise<string> {
  const path = name === undefined ? '/api/settings/export' : `/api/admin/users/${name}/export`;
  const headers = { authorization: `Bearer ${caller.accessToken}` };
  const response = await fetch(caller.hubUrl + path, { headers });
  const text = await response.text();
  expect([response.status, text.slice(0, 200)]).toEqual([200, expect.any(String)]);
  return text;
}

/** Returns the lines of an export; fails unless it is complete. */
export function linesOf(text: string): Line[] {
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line): Line => JSON.parse(line));
  expect(lines.at(-1)).toEqual({ section: 'end', items: lines.length - 2 });
  return lines;
}

export const inSection = (lines: readonly Line[], section: string): Line[] =>
  lines.filter((line) => line.section === section);

const SECRET = { type: 'model', repo: 'acme/secret' } as const;
const OPEN = { type: 'model', repo: 'bob/open' } as const;
const JOB = { dockerImage: 'python:3.12', command: ['true'], flavor: 'cpu-basic' } as const;

/**
 * Starts a hub where ada has something in every section of an export: in repositories and collections of her own, in
 * those of bob, and in the private `acme/secret`, where she may write. Every private title of others contains `covert`.
 * Returns the secrets that no export contains.
 */
export async function startPersonalDataHub() {
  const hub = await startHub({}, { hashing: plainHashing, runner: createTestRunner() });
  await hub.apply({
    users: [{ ...person('ada'), email: 'ada@example.com', fullname: 'Ada' }, person('bob'), person('eve')],
    organizations: [
      {
        name: 'acme',
        plan: 'enterprise',
        members: [
          { user: 'bob', role: 'admin' },
          { user: 'ada', role: 'write' },
        ],
      },
      { name: 'moon', members: [{ user: 'bob', role: 'admin' }] },
    ],
    papers: [{ id: '2401.01234', title: 'Moons', authors: [{ name: 'Ada' }, { name: 'A. da', user: 'ada' }] }],
    posts: [{ slug: 'hello', author: 'ada', title: 'Hello' }],
  });
  const [ada, bob] = [hub.as('ada'), hub.as('bob')];
  const secrets = await signInAs(hub, ada);
  for (const repo of ['ada/own', 'acme/plain']) await createRepo({ ...ada, repo });
  await createRepo({ ...bob, repo: SECRET.repo, private: true });
  for (const repo of [OPEN.repo, 'bob/gated']) await createRepo({ ...bob, repo });
  await updateRepoSettings({ ...bob, type: 'model', repo: 'bob/gated', settings: { gated: 'manual' } });
  await createResourceGroup({ ...bob, organization: 'acme', name: 'dock', users: [{ user: 'ada', role: 'read' }] });
  await createInvitation({ ...bob, name: 'moon', user: 'ada', role: 'read' });
  await askAccess({ ...ada, repo: 'bob/gated' });
  for (const place of [SECRET, OPEN]) await takePart(hub, place);
  await collect(ada, bob);
  await commentPaper({ ...ada, paperId: '2401.01234', comment: 'What a paper' });
  await claimPaper({ ...ada, paperId: '2401.01234' });
  await lockFile({ ...ada, repo: SECRET.repo, path: 'covert.bin' });
  const job = { ...JOB, command: [...JOB.command], secrets: { KEY: 'job-secret-value' } };
  await runJob({ ...ada, namespace: 'ada', job });
  await createScheduledJob({ ...ada, namespace: 'acme', jobSpec: job, schedule: '@daily' });
  const webhook = { url: 'https://example.com/hook', secret: 'webhook-secret-value', domains: ['repo' as const] };
  await createWebhook({ ...ada, webhook: { ...webhook, watched: [{ type: 'user', name: 'ada' }] } });
  await hub.drain();
  const { id: done } = await hub.database.read
    .selectFrom('discussions')
    .select('discussions.id')
    .innerJoin('repositories', 'repositories.id', 'discussions.repo_id')
    .where('repositories.name', '=', 'open')
    .where('discussions.title', '=', 'covert plan')
    .executeTakeFirstOrThrow();
  await deleteNotifications({ ...ada, discussionIds: [done] });
  await insertRows(hub);
  return { hub, ada, bob, secrets: [...secrets, 'job-secret-value', 'webhook-secret-value', 'mirror-secret-value'] };
}

/** Signs ada in with a second factor, a program, an application and a trusted publisher; returns their secrets. */
async function signInAs(hub: TestHub, ada: Connection): Promise<string[]> {
  const browser = await withPassword(hub, 'ada');
  const begun = await browser.ask('POST /api/settings/second-factors', {});
  const { uri } = begun.body as { readonly uri: string };
  const confirmed = await browser.ask('POST /api/settings/second-factors/confirm', {
    code: totpCode(uri, hub.clock.now()),
  });
  const codes: readonly string[] = confirmed.body.recoveryCodes;
  const { userCode, poll } = await openProgram(hub);
  await browser.ask('POST /api/oauth/device/decision', { userCode, decision: 'allow', organizations: [] });
  hub.clock.advance(5 * SECOND);
  const { body: program } = await poll();
  const application = await createApplication({ ...ada, name: 'Reader', confidential: true });
  const made = await createAccessToken({ ...ada, displayName: 'laptop', role: 'read' });
  await createRepo({ ...ada, repo: 'ada/built' });
  const publisher = { resource: 'ada/built', issuer: 'https://ci.example', claims: { sub: 'repo:ada/ci' } };
  expect((await browser.ask('POST /api/settings/trusted-publishers', publisher)).status).toBe(200);
  const cookies = [...browser.cookies.values()];
  const totp = new URL(uri).searchParams.get('secret') ?? '';
  const texts = [totp, ...codes, ...cookies, program.access_token, program.refresh_token, made.token];
  return [...texts, application.clientSecret ?? '', tokenOf('ada'), PASSWORD];
}

/** Bob opens a discussion and mentions ada, who comments there, opens and closes one, likes, watches and mutes. */
async function takePart(hub: TestHub, place: typeof SECRET | typeof OPEN): Promise<void> {
  const [ada, bob] = [hub.as('ada'), hub.as('bob')];
  await createDiscussion({ ...bob, ...place, title: 'covert plan', description: 'covert words for @ada' });
  await commentDiscussion({ ...ada, ...place, num: 1, comment: `my words in ${place.repo.split('/')[1]}` });
  await createDiscussion({ ...ada, ...place, title: 'My question', description: 'my description' });
  await changeDiscussionStatus({ ...ada, ...place, num: 2, status: 'closed' });
  await likeRepo({ ...ada, ...place });
  const { id } = await hub.database.read
    .selectFrom('repositories')
    .select('id')
    .where('name', '=', place.repo.split('/')[1] ?? '')
    .executeTakeFirstOrThrow();
  await updateWatched({ ...ada, add: [{ type: 'repo', id }] });
  await updateMuted({ ...ada, add: [{ type: 'repo', id }] });
}

async function collect(ada: Connection, bob: Connection): Promise<void> {
  const { slug: own } = await createCollection({ ...ada, title: 'Shelf', private: true });
  const [namespace = '', slug = ''] = own.split('/');
  for (const { type, repo: id } of [SECRET, OPEN])
    await addCollectionItem({ ...ada, namespace, slug, item: { type, id }, note: 'my note' });
  const { slug: others } = await createCollection({
    ...bob,
    title: 'covert shelf',
    namespace: 'acme',
    private: true,
  });
  await upvoteCollection({ ...ada, namespace: 'acme', slug: others.split('/')[1] ?? '' });
}

/** Inserts what needs an identity provider, a remote, or a deleted organization. */
async function insertRows({ database }: TestHub): Promise<void> {
  const ids = new Map(
    (await database.read.selectFrom('accounts').select(['id', 'name']).execute()).map(({ id, name }) => [name, id]),
  );
  const idOf = (name: string) => ids.get(name) ?? '';
  const { id: repoId } = await database.read
    .selectFrom('repositories')
    .select('id')
    .where('name', '=', 'plain')
    .executeTakeFirstOrThrow();
  await database.transaction(async (tx) => {
    await sql`insert into identities (id, provider, issuer, subject, user_id, owned, email, created_at, used_at)
      values (${'1'.repeat(24)}, 'hub', 'https://login.example', 'subject-of-ada', ${idOf('ada')}, 0, 'ada@login.example', 1, 1)
    `.execute(tx);
    await sql`insert into scim_users (org_id, user_id, owned, user_name, user_name_key, email, created_at, updated_at)
      values (${idOf('acme')}, ${idOf('ada')}, 0, 'ada.l', 'ada.l', 'ada@provider.example', 1, 1)`.execute(tx);
    await sql`insert into mirrors (id, url, username, token, interval_seconds, user_id, created_at, version, due_at,
        failures, unfinished, stopped, refused)
      values (${repoId}, 'https://someone:mirror-secret-value@git.example/x', 'someone', 'mirror-secret-value', 600,
        ${idOf('ada')}, 1, 1, ${Number.MAX_SAFE_INTEGER}, 0, 0, 0, '[]')`.execute(tx);
    await sql`insert into hidden_notifications (thread_id, user_id, subject, source_id, involvement, updated_at, read,
        activity_id)
      values (${'2'.repeat(24)}, ${idOf('ada')}, 'model', ${repoId}, 1, 1, 0, ${'3'.repeat(24)})`.execute(tx);
  });
}
