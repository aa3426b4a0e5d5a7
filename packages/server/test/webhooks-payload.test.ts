import {
  changeDiscussionStatus,
  commentDiscussion,
  createDiscussion,
  deleteDiscussion,
  editComment,
  hideComment,
  mergePullRequest,
  renameDiscussion,
} from '@moonbase/client/discussions';
import { whoAmI } from '@moonbase/client/profiles';
import {
  createBranch,
  createBucket,
  createRepo,
  createTag,
  deleteBranch,
  deleteBucket,
  deleteRepo,
  deleteTag,
  moveRepo,
  updateRepoSettings,
} from '@moonbase/client/repositories';
import { testWebhook } from '@moonbase/client/webhooks';
import { REPO_TYPES, type RepoType } from '@moonbase/contract/primitives';
import { Action, EVENTS, Scope, type WebhookPayload } from '@moonbase/contract/webhooks/payload';
import { describe, expect, test } from 'vitest';
import { person, startHub } from './harness.ts';
import { type Listener, listen, refusal } from './webhooks-listen.ts';

const ID = expect.stringMatching(/^[0-9a-f]{24}$/) as unknown as string;
const SHA = expect.stringMatching(/^[0-9a-f]{40}$/) as unknown as string;

/** The path of a repository's page on the hub. */
const PAGES: Record<RepoType, string> = {
  model: '',
  dataset: '/datasets',
  space: '/spaces',
  bucket: '/buckets',
  kernel: '/kernels',
};

/** Starts a hub where alice has one repository, and a webhook on all property of hers and acme's. */
async function study(type: RepoType = 'model', { isPrivate = false } = {}) {
  const hub = await startHub();
  await hub.apply({
    users: [person('alice'), person('bob')],
    organizations: [{ name: 'acme', members: [{ user: 'alice', role: 'admin' }] }],
  });
  const [alice, bob] = [hub.as('alice'), hub.as('bob')];
  const me = await whoAmI(alice);
  const { id: bobId } = await whoAmI(bob);
  const listener = await listen(hub, alice, [
    { type: 'user', name: 'alice' },
    { type: 'org', name: 'acme' },
  ]);
  const { id } = await createRepo({ ...alice, type, repo: 'alice/my_Letters.v2', private: isPrivate });
  const created = await onlyOne(listener);
  return {
    hub,
    alice,
    bob,
    listener,
    created,
    owner: { id: me.id },
    author: { id: bobId },
    acme: { id: me.orgs[0]?.id ?? '' },
    one: { type, repo: 'alice/my_Letters.v2' } as const,
    /** Returns the repository as payloads name it, with the fields of its type. */
    repo: {
      type,
      name: 'alice/my_Letters.v2',
      id,
      private: isPrivate,
      url: {
        web: `${hub.url}${PAGES[type]}/alice/my_Letters.v2`,
        api: `${hub.url}/api/${type}s/alice/my_Letters.v2`,
      },
      owner: { id: me.id },
      ...(type === 'space' && { subdomain: 'alice-my-letters-v2' }),
    },
    webhook: { id: listener.webhookId, version: 3 as const },
    async [Symbol.asyncDispose]() {
      await listener[Symbol.asyncDispose]();
      await hub[Symbol.asyncDispose]();
    },
  };
}

/** Returns the only payload since the last call. */
async function onlyOne(listener: Listener): Promise<WebhookPayload> {
  const heard = await listener.payloads();
  expect(heard).toHaveLength(1);
  return heard[0]!;
}

describe('a repository', () => {
  test.each(REPO_TYPES)('of type %s that is created and deleted', async (type) => {
    await using desk = await study(type);
    const head = type === 'bucket' ? {} : { headSha: SHA };
    expect(desk.created).toEqual({
      event: { action: 'create', scope: 'repo' },
      repo: { ...desk.repo, ...head },
      webhook: desk.webhook,
    });
    await deleteRepo({ ...desk.alice, ...desk.one });
    expect(await onlyOne(desk.listener)).toEqual({
      event: { action: 'delete', scope: 'repo' },
      repo: desk.created.repo,
      webhook: desk.webhook,
    });
  });

  test('that is private is marked as private', async () => {
    await using desk = await study('dataset', { isPrivate: true });
    expect(desk.created.repo).toEqual({ ...desk.repo, private: true, headSha: SHA });
  });

  test('created by the path of buckets is a bucket like any other', async () => {
    await using desk = await study('bucket');
    await createBucket({ ...desk.alice, repo: 'alice/pail' });
    const created = await onlyOne(desk.listener);
    expect(created.repo).toEqual({
      ...desk.repo,
      id: ID,
      name: 'alice/pail',
      url: { web: `${desk.hub.url}/buckets/alice/pail`, api: `${desk.hub.url}/api/buckets/alice/pail` },
    });
    await deleteBucket({ ...desk.alice, repo: 'alice/pail' });
    expect(await onlyOne(desk.listener)).toEqual({
      event: { action: 'delete', scope: 'repo' },
      repo: created.repo,
      webhook: desk.webhook,
    });
  });

  test.each(REPO_TYPES)('of type %s that moves: as it was, and where it went', async (type) => {
    await using desk = await study(type);
    await moveRepo({ ...desk.alice, from: 'alice/my_Letters.v2', to: 'acme/poems', type });
    expect(await onlyOne(desk.listener)).toEqual({
      event: { action: 'move', scope: 'repo' },
      repo: desk.created.repo,
      movedTo: { name: 'acme/poems', owner: desk.acme },
      webhook: desk.webhook,
    });
    await updateRepoSettings({ ...desk.alice, type, repo: 'acme/poems', settings: { private: true } });
    const { repo } = await onlyOne(desk.listener);
    expect(repo).toEqual({
      ...desk.created.repo,
      name: 'acme/poems',
      owner: desk.acme,
      private: true,
      url: { web: `${desk.hub.url}${PAGES[type]}/acme/poems`, api: `${desk.hub.url}/api/${type}s/acme/poems` },
      ...(type === 'space' && { subdomain: 'acme-poems' }),
    });
  });
});

describe('the settings of a repository', () => {
  test.each(REPO_TYPES)('of type %s: private is named', async (type) => {
    await using desk = await study(type);
    const change = (settings: { private?: boolean; discussionsDisabled?: boolean }) =>
      updateRepoSettings({ ...desk.alice, ...desk.one, settings });
    const config = (isPrivate: boolean, updatedConfig: object) => ({
      event: { action: 'update', scope: 'repo.config' },
      repo: { ...desk.created.repo, private: isPrivate },
      updatedConfig,
      webhook: desk.webhook,
    });
    await change({ private: true });
    expect(await onlyOne(desk.listener)).toEqual(config(true, { private: true }));
    await change({ private: false, discussionsDisabled: true });
    expect(await onlyOne(desk.listener)).toEqual(config(false, { private: false }));
    await change({ discussionsDisabled: false });
    expect(await onlyOne(desk.listener)).toEqual(config(false, {}));
  });

  test('that do not change record no event', async () => {
    await using desk = await study();
    await updateRepoSettings({ ...desk.alice, ...desk.one, settings: { private: false, gated: false } });
    expect(await desk.listener.payloads()).toEqual([]);
  });
});

describe('the content of a repository', () => {
  test.each(['model', 'dataset', 'space', 'kernel'] as const)('of type %s: each ref that moves', async (type) => {
    await using desk = await study(type);
    const one = { ...desk.alice, ...desk.one };
    const head = desk.created.repo.headSha!;
    const content = (ref: string, oldSha: string | null, newSha: string | null) => ({
      event: { action: 'update', scope: 'repo.content' },
      repo: desk.created.repo,
      updatedRefs: [{ ref, oldSha, newSha }],
      webhook: desk.webhook,
    });
    await createBranch({ ...one, branch: 'feature/x' });
    expect(await onlyOne(desk.listener)).toEqual(content('refs/heads/feature/x', null, head));
    await createBranch({ ...one, branch: 'empty', emptyBranch: true });
    const made = await onlyOne(desk.listener);
    const empty = made.updatedRefs?.[0]?.newSha ?? '';
    expect(made).toEqual(content('refs/heads/empty', null, SHA));
    expect(empty).not.toBe(head);
    await createBranch({ ...one, branch: 'feature/x', startingPoint: 'empty', overwrite: true });
    expect(await onlyOne(desk.listener)).toEqual(content('refs/heads/feature/x', head, empty));
    await createTag({ ...one, tag: 'v1', revision: 'empty' });
    expect(await onlyOne(desk.listener)).toEqual(content('refs/tags/v1', null, empty));
    await deleteTag({ ...one, tag: 'v1' });
    expect(await onlyOne(desk.listener)).toEqual(content('refs/tags/v1', empty, null));
    await deleteBranch({ ...one, branch: 'feature/x' });
    expect(await onlyOne(desk.listener)).toEqual(content('refs/heads/feature/x', empty, null));
  });

  test('main that is overwritten: headSha is the new commit', async () => {
    await using desk = await study();
    const head = desk.created.repo.headSha!;
    await createBranch({ ...desk.alice, ...desk.one, branch: 'main', emptyBranch: true, overwrite: true });
    const payload = await onlyOne(desk.listener);
    const newSha = payload.updatedRefs?.[0]?.newSha;
    expect(newSha).not.toBe(head);
    expect(payload).toEqual({
      event: { action: 'update', scope: 'repo.content' },
      repo: { ...desk.created.repo, headSha: newSha },
      updatedRefs: [{ ref: 'refs/heads/main', oldSha: head, newSha: SHA }],
      webhook: desk.webhook,
    });
  });

  test('a branch that is set to its present commit records no event', async () => {
    await using desk = await study();
    await createBranch({ ...desk.alice, ...desk.one, branch: 'main', startingPoint: 'main', overwrite: true });
    expect(await desk.listener.payloads()).toEqual([]);
  });
});

describe('discussions', () => {
  /** Adds a discussion of bob to alice's repository. */
  async function discussed(type: Exclude<RepoType, 'bucket'> = 'model', pullRequest = false) {
    const desk = await study(type);
    const { num } = await createDiscussion({
      ...desk.bob,
      ...desk.one,
      type,
      title: 'A typo',
      description: 'In *the* card.',
      pullRequest,
    });
    const heard = await desk.listener.payloads();
    const thread = { ...desk.one, type, num };
    return {
      ...desk,
      heard,
      bobs: { ...desk.bob, ...thread },
      alices: { ...desk.alice, ...thread },
      discussion: {
        id: ID,
        num: 1,
        title: 'A typo',
        url: { web: `${desk.repo.url.web}/discussions/1`, api: `${desk.repo.url.api}/discussions/1` },
        status: 'open',
        author: desk.author,
        isPullRequest: false,
        pinned: false,
      },
      comment: (id: string, content: string) => ({
        id,
        author: desk.author,
        hidden: false,
        content,
        url: { web: expect.stringMatching(new RegExp(`^${desk.repo.url.web}/discussions/1#${id === ID ? '' : id}`)) },
      }),
      [Symbol.asyncDispose]: () => desk[Symbol.asyncDispose](),
    };
  }

  test.each(['model', 'dataset', 'space', 'kernel'] as const)(
    'in a %s: opening one is a single event that carries its first comment',
    async (type) => {
      await using desk = await discussed(type);
      expect(desk.heard).toEqual([
        {
          event: { action: 'create', scope: 'discussion' },
          repo: desk.repo,
          discussion: desk.discussion,
          comment: desk.comment(ID, 'In *the* card.'),
          webhook: desk.webhook,
        },
      ]);
      const { id, url } = desk.heard[0]!.comment!;
      expect(url.web).toBe(`${desk.repo.url.web}/discussions/1#${id}`);
    },
  );

  test('a new title, a status, and the deletion: the discussion as it is then, without a comment', async () => {
    await using desk = await discussed();
    const payload = (action: string, change: object) => ({
      event: { action, scope: 'discussion' },
      repo: desk.repo,
      discussion: { ...desk.discussion, ...change },
      webhook: desk.webhook,
    });
    await renameDiscussion({ ...desk.bobs, title: 'Two typos' });
    expect(await onlyOne(desk.listener)).toEqual(payload('update', { title: 'Two typos' }));
    await changeDiscussionStatus({ ...desk.alices, status: 'closed' });
    expect(await onlyOne(desk.listener)).toEqual(payload('update', { title: 'Two typos', status: 'closed' }));
    await changeDiscussionStatus({ ...desk.bobs, status: 'open' });
    expect(await onlyOne(desk.listener)).toEqual(payload('update', { title: 'Two typos' }));
    await deleteDiscussion(desk.alices);
    expect(await onlyOne(desk.listener)).toEqual(payload('delete', { title: 'Two typos' }));
  });

  test('the same title again records no event', async () => {
    await using desk = await discussed();
    await renameDiscussion({ ...desk.bobs, title: 'A typo' });
    expect(await desk.listener.payloads()).toEqual([]);
  });

  test('a comment that is written, edited and hidden, in the end without its content', async () => {
    await using desk = await discussed();
    const payload = (action: string, comment: object) => ({
      event: { action, scope: 'discussion.comment' },
      repo: desk.repo,
      discussion: desk.discussion,
      comment,
      webhook: desk.webhook,
    });
    const { newMessage } = await commentDiscussion({ ...desk.bobs, comment: 'Second **thought**.' });
    const comment = desk.comment(newMessage.id, 'Second **thought**.');
    expect(await onlyOne(desk.listener)).toEqual(payload('create', comment));
    await editComment({ ...desk.bobs, commentId: newMessage.id, content: 'Third thought.' });
    expect(await onlyOne(desk.listener)).toEqual(payload('update', { ...comment, content: 'Third thought.' }));
    await hideComment({ ...desk.alices, commentId: newMessage.id });
    const hidden = await onlyOne(desk.listener);
    const { content: _content, ...withoutContent } = comment;
    expect(hidden).toEqual(payload('update', { ...withoutContent, hidden: true }));
    expect(hidden.comment).not.toHaveProperty('content');
  });

  test('a status with a comment are two events, the comment first', async () => {
    await using desk = await discussed();
    await changeDiscussionStatus({ ...desk.bobs, status: 'closed', comment: 'Done.' });
    const heard = await desk.listener.payloads();
    expect(heard.map(({ event, comment }) => [event.scope, event.action, comment?.content])).toEqual([
      ['discussion.comment', 'create', 'Done.'],
      ['discussion', 'update', undefined],
    ]);
  });

  test('a pull request: a draft with what it changes, and its ref', async () => {
    await using desk = await discussed('model', true);
    const discussion = {
      ...desk.discussion,
      status: 'draft',
      isPullRequest: true,
      changes: { base: 'refs/heads/main' },
    };
    expect(desk.heard).toEqual([
      {
        event: { action: 'create', scope: 'discussion' },
        repo: desk.repo,
        discussion,
        comment: desk.comment(ID, 'In *the* card.'),
        webhook: desk.webhook,
      },
      {
        event: { action: 'update', scope: 'repo.content' },
        repo: desk.created.repo,
        updatedRefs: [{ ref: 'refs/pr/1', oldSha: null, newSha: desk.created.repo.headSha }],
        webhook: desk.webhook,
      },
    ]);
  });

  test('a pull request that is merged: main moves to the commit that the discussion then names', async () => {
    await using desk = await discussed('dataset', true);
    await changeDiscussionStatus({ ...desk.bobs, status: 'open' });
    expect((await onlyOne(desk.listener)).discussion?.status).toBe('open');
    await mergePullRequest({ ...desk.alices, comment: 'Thank you.' });
    const [comment, content, merged] = await desk.listener.payloads();
    const mergeCommitId = content?.updatedRefs?.[0]?.newSha;
    expect(comment).toMatchObject({
      event: { action: 'create', scope: 'discussion.comment' },
      discussion: { status: 'open' },
      comment: { content: 'Thank you.', author: desk.owner },
    });
    expect(content).toEqual({
      event: { action: 'update', scope: 'repo.content' },
      repo: { ...desk.created.repo, headSha: mergeCommitId },
      updatedRefs: [{ ref: 'refs/heads/main', oldSha: desk.created.repo.headSha, newSha: SHA }],
      webhook: desk.webhook,
    });
    expect(merged).toEqual({
      event: { action: 'update', scope: 'discussion' },
      repo: desk.repo,
      discussion: {
        ...desk.discussion,
        status: 'merged',
        isPullRequest: true,
        changes: { base: 'refs/heads/main', mergeCommitId },
      },
      webhook: desk.webhook,
    });
    expect(await desk.listener.payloads()).toEqual([]);
  });
});

describe('a sample', () => {
  const known = (scope: Scope, action: Action) =>
    EVENTS.some((event) => event.scope === scope && event.action === action);
  const PAIRS = Scope.options.flatMap((scope) => Action.options.map((action) => ({ scope, action })));
  const REPO_KEYS = ['id', 'name', 'owner', 'private', 'type', 'url'];
  const DISCUSSION_KEYS = ['author', 'id', 'isPullRequest', 'num', 'pinned', 'status', 'title', 'url'];
  const keysOf = (value: object | undefined) => value && Object.keys(value).sort();

  test.each(EVENTS)('of $scope with $action is sent, with the keys that the real event has', async (event) => {
    await using desk = await study();
    const { repo } = desk.one;
    expect(await testWebhook({ ...desk.alice, webhookId: desk.listener.webhookId, ...event })).toEqual({
      status: 200,
      id: ID,
    });
    const payload = desk.listener.receiver.received.at(-1)!.payload;
    expect(payload.event).toEqual(event);
    expect(payload.webhook).toEqual(desk.webhook);
    expect(payload.repo.name).not.toBe(repo);
    const ofDiscussion = event.scope.startsWith('discussion');
    expect(keysOf(payload.repo)).toEqual(ofDiscussion ? REPO_KEYS : ['headSha', ...REPO_KEYS].sort());
    expect(keysOf(payload.discussion)).toEqual(ofDiscussion ? DISCUSSION_KEYS : undefined);
    const extras: Readonly<Record<string, string[]>> = {
      'repo/move': ['movedTo'],
      'repo.content/update': ['updatedRefs'],
      'repo.config/update': ['updatedConfig'],
      'discussion/create': ['comment', 'discussion'],
      'discussion/update': ['discussion'],
      'discussion/delete': ['discussion'],
      'discussion.comment/create': ['comment', 'discussion'],
      'discussion.comment/update': ['comment', 'discussion'],
    };
    const extra = extras[`${event.scope}/${event.action}`] ?? [];
    expect(keysOf(payload)).toEqual(['event', 'repo', 'webhook', ...extra].sort());
    expect((await desk.listener.newest()).event).toEqual(event);
  });

  test.each(PAIRS.filter(({ scope, action }) => !known(scope, action)))(
    'of $scope with $action, which the hub never sends, is refused',
    async (event) => {
      await using desk = await study();
      const refused = await refusal(testWebhook({ ...desk.alice, webhookId: desk.listener.webhookId, ...event }));
      expect(refused).toMatchObject({ status: 400, message: expect.stringContaining(event.scope) });
      expect(await desk.listener.payloads()).toEqual([]);
      expect(await desk.listener.log()).toHaveLength(1);
    },
  );

  test('of no given kind is an update of repo.content', async () => {
    await using desk = await study();
    await testWebhook({ ...desk.alice, webhookId: desk.listener.webhookId });
    expect(desk.listener.receiver.events()).toEqual(['repo.content/update']);
  });

  test.each(REPO_TYPES)('for a webhook on a %s is about that repository, with the keys of its type', async (type) => {
    await using desk = await study();
    await using listener = await listen(desk.hub, desk.alice, [
      { type: 'user', name: 'alice' },
      { type, name: 'alice/poems' },
    ]);
    await testWebhook({ ...desk.alice, webhookId: listener.webhookId, scope: 'repo', action: 'create' });
    expect(listener.receiver.received[0]?.payload.repo).toEqual({
      type,
      name: 'alice/poems',
      id: ID,
      private: false,
      url: { web: `${desk.hub.url}${PAGES[type]}/alice/poems`, api: `${desk.hub.url}/api/${type}s/alice/poems` },
      owner: { id: ID },
      ...(type !== 'bucket' && { headSha: SHA }),
      ...(type === 'space' && { subdomain: 'alice-poems' }),
    });
  });
});
