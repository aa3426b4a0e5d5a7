import { deleteUserAvatar, setUserAvatar } from '@moonbase/client/avatars';
import {
  changeDiscussionStatus,
  commentDiscussion,
  createDiscussion,
  deleteDiscussion,
  renameDiscussion,
} from '@moonbase/client/discussions';
import { updateOrganization } from '@moonbase/client/organizations';
import { createRepo, moveRepo } from '@moonbase/client/repositories';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readPreviews } from '../src/notifications/thread-previews/thread-previews.ts';
import { type InboxHub, startInboxHub, titleOf } from './inbox-hub.ts';
import { blackPng } from './pictures.ts';

const PEOPLE = ['alice', 'bob', 'carol'] as const;
const person = fc.constantFrom(...PEOPLE);
const num = fc.integer({ min: 1, max: 5 });
const title = fc.constantFrom('One', 'Two', 'with "quotes", "avatar":"/x" and \n a break');

const step = fc.oneof(
  fc.record({ kind: fc.constant('open' as const), by: person, title }),
  fc.record({ kind: fc.constant('comment' as const), by: person, num }),
  fc.record({
    kind: fc.constant('say' as const),
    by: person,
    type: fc.constantFrom('paper', 'post', 'community_blog'),
  }),
  fc.record({ kind: fc.constant('title' as const), num, title }),
  fc.record({ kind: fc.constant('status' as const), num, status: fc.constantFrom('open', 'closed') }),
  fc.record({ kind: fc.constant('delete discussion' as const), num: fc.constant(4) }),
  fc.record({ kind: fc.constant('move' as const), to: fc.constantFrom('organization', 'alice') }),
  fc.record({ kind: fc.constant('organization' as const), to: fc.constantFrom('acme', 'umbrella') }),
  fc.record({ kind: fc.constant('title of a post' as const), title: fc.constantFrom('Essay', 'Another') }),
  fc.record({ kind: fc.constant('picture' as const), by: person, set: fc.boolean() }),
  fc.record({ kind: fc.constant('full name' as const), of: person }),
  fc.record({ kind: fc.constant('drain' as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function take(hub: InboxHub, one: Step): Promise<unknown> {
  const repo = await hub.database.read
    .selectFrom('repositories as r')
    .innerJoin('accounts as a', 'a.id', 'r.owner_id')
    .select(['a.name as owner', 'r.name'])
    .executeTakeFirstOrThrow();
  const REPO = { type: 'model', repo: `${repo.owner}/${repo.name}` } as const;
  const { name: org } = await hub.database.read
    .selectFrom('accounts')
    .select('name')
    .where('kind', '=', 'org')
    .executeTakeFirstOrThrow();
  switch (one.kind) {
    case 'open':
      return createDiscussion({ ...hub.as(one.by), ...REPO, title: one.title, description: '@alice @bob @carol' });
    case 'comment':
      return commentDiscussion({ ...hub.as(one.by), ...REPO, num: one.num, comment: '@alice @bob @carol' });
    case 'say': {
      const table = one.type === 'paper' ? ('papers' as const) : ('posts' as const);
      const kind = one.type === 'post' ? 'post' : 'article';
      const threads = hub.database.read.selectFrom(table).select('id');
      const { id } = await (table === 'posts'
        ? threads.where('kind' as never, '=', kind as never)
        : threads
      ).executeTakeFirstOrThrow();
      return hub.comment(one.by, { type: one.type as 'paper', id }, '@alice @bob @carol');
    }
    case 'title':
      return renameDiscussion({ ...hub.as('alice'), ...REPO, num: one.num, title: one.title });
    case 'status':
      return changeDiscussionStatus({ ...hub.as('alice'), ...REPO, num: one.num, status: one.status as 'open' });
    case 'delete discussion':
      return deleteDiscussion({ ...hub.as('alice'), ...REPO, num: one.num });
    case 'move':
      return moveRepo({
        ...hub.as('alice'),
        type: 'model',
        from: REPO.repo,
        to: `${one.to === 'alice' ? 'alice' : org}/notes`,
      });
    case 'organization':
      return updateOrganization({ ...hub.as('alice'), name: org, change: { name: one.to } });
    case 'title of a post':
      return hub.apply({ posts: [{ author: 'bob', slug: 'note', title: one.title }] });
    case 'picture':
      return one.set
        ? setUserAvatar({ ...hub.as(one.by), username: one.by, picture: new Blob([new Uint8Array(blackPng(4, 4))]) })
        : deleteUserAvatar({ ...hub.as(one.by), username: one.by });
    case 'full name':
      return hub.apply({ users: [{ name: one.of, fullname: `${one.of} ${hub.clock.now()}` }] });
    case 'drain':
      return hub.drain();
  }
}

test('stored previews equal fresh ones after any sequence of changes', async () => {
  await using hub = await startInboxHub(...PEOPLE);
  await hub.apply({
    papers: [{ id: '2401.00001', title: 'paper', authors: [{ name: 'Bob', user: 'bob' }] }],
    posts: [{ author: 'bob', slug: 'note', title: 'post' }],
    articles: [{ author: 'bob', slug: 'essay', title: 'community_blog', canonical: true }],
  });
  await createRepo({ ...hub.as('alice'), repo: 'acme/letters' });
  for (const by of [...PEOPLE, ...PEOPLE]) await take(hub, { kind: 'open', by, title: 'One' });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: 4, maxLength: 12 }),
      async (story) => {
        for (const atOnce of story) {
          hub.clock.advance(1000);
          await Promise.allSettled(atOnce.map((one) => take(hub, one)));
        }
        await hub.drain();
        const ready = await hub.database.read.selectFrom('shown_threads').selectAll().execute();
        const now = await readPreviews(
          hub.database.read,
          ready.map(({ thread_id }) => thread_id),
        );
        for (const { thread_id, source_id, body } of ready)
          expect({ sourceId: source_id, body }).toEqual({
            sourceId: now.get(thread_id)?.sourceId,
            body: now.get(thread_id)?.json,
          });
      },
    ),
    { numRuns: 25 },
  );
});

test('previews show neither the name nor the avatar of a deleted account', async () => {
  await using hub = await startInboxHub(...PEOPLE);
  await createRepo({ ...hub.as('alice'), repo: 'acme/letters' });
  const REPO = { type: 'model', repo: 'acme/letters' } as const;
  await createDiscussion({ ...hub.as('bob'), ...REPO, title: 'Hello', description: '@carol' });
  await commentDiscussion({ ...hub.as('alice'), ...REPO, num: 1, comment: 'Hi' });
  const names = async () =>
    (await hub.inbox('carol')).notifications.flatMap((each) =>
      each.type === 'repo' ? each.discussion.participating.map(({ user }) => user) : [],
    );
  expect(await names()).toEqual(['alice', 'bob']);
  const userId = await hub.idOf('bob');
  await hub.apply({ users: [{ name: 'bob', state: 'absent' }] });
  expect(await names()).toEqual(['alice']);
  expect(await hub.database.read.selectFrom('thread_participants').select('user_id').execute()).not.toContainEqual({
    user_id: userId,
  });
});

test('a missing preview is created when the list is read', async () => {
  await using hub = await startInboxHub(...PEOPLE);
  await createRepo({ ...hub.as('alice'), repo: 'acme/letters' });
  const REPO = { type: 'model', repo: 'acme/letters' } as const;
  for (const title of ['One', 'Two'])
    await createDiscussion({ ...hub.as('bob'), ...REPO, title, description: '@carol' });
  const before = await hub.inbox('carol');
  expect(before.notifications.map(titleOf).sort()).toEqual(['One', 'Two']);
  await hub.database.transaction((tx) => tx.deleteFrom('shown_threads').execute());
  expect(await hub.inbox('carol')).toEqual(before);
});

test('previews show a moved repository by its new name', async () => {
  await using hub = await startInboxHub(...PEOPLE);
  await createRepo({ ...hub.as('alice'), repo: 'acme/letters' });
  const REPO = { type: 'model', repo: 'acme/letters' } as const;
  await createDiscussion({ ...hub.as('bob'), ...REPO, title: 'Hello', description: '@carol' });
  await hub.drain();
  await moveRepo({ ...hub.as('alice'), type: 'model', from: 'acme/letters', to: 'alice/notes' });
  const { notifications } = await hub.inbox('carol');
  expect(notifications).toMatchObject([{ repo: { name: 'alice/notes', type: 'model' } }]);
});
