import { createAccessToken, deleteAccessToken } from '@moonbase/client/access-tokens';
import { type BucketEvent, streamBucketChanges } from '@moonbase/client/content';
import { createBucket, deleteBucket, getBucket, moveRepo, updateRepoSettings } from '@moonbase/client/repositories';
import { disableUser } from '@moonbase/client/users';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createBucketStreams } from '../src/buckets/stream.ts';
import type { Caller } from '../src/platform/http/authenticate.ts';
import { createSignals } from '../src/platform/queue/signals.ts';
import { ask } from './ask.ts';
import { bytesOf } from './blobs/bytes.ts';
import { add, change, putFile, startWithBuckets } from './buckets-fixture.ts';
import { DAY, HOUR } from './clock.ts';
import type { Connection, TestHub } from './harness.ts';
import { idOf, startWithRepos } from './large-files-fixture.ts';

const DATA = 'alice/data';
const HIDDEN = 'alice/hidden';
const EMPTY = { hash: '0'.repeat(64) };
const ENDED = 'end';

let hub: TestHub;
let open: AbortController[];
beforeEach(async () => {
  hub = await startWithBuckets();
  open = [];
});
afterEach(() => {
  for (const each of open) each.abort();
});

/** Follows a bucket; `next` returns the next event, and the files of changes in short. */
function follow(as: Connection, from: { readonly cursor?: string; readonly since?: string } = {}, repo = DATA) {
  const closing = new AbortController();
  open.push(closing);
  const events = streamBucketChanges({ ...as, ...from, repo, signal: closing.signal });
  let last: BucketEvent | undefined;
  return {
    next: async () => {
      const { done, value } = await events.next();
      if (done) return ENDED;
      last = value;
      return value.event === 'changes' ? value.data.changes.map(({ op, path }) => `${op} ${path}`) : value.event;
    },
    /** The cursor of the last event. */
    cursor: () => (last && last.event !== 'reset' ? last.data.cursor : undefined),
    data: () => last?.data,
  };
}

const adds = (...paths: string[]) => change(hub, 'alice', DATA, ...paths.map((path) => add(path, EMPTY)));
const deletes = (path: string) => change(hub, 'alice', DATA, { type: 'deleteFile', path });

describe('who follows a bucket', () => {
  test('learns of every change, each transaction being one event', async () => {
    const stream = follow(hub.as('bob'));
    expect([await stream.next(), stream.cursor()]).toEqual(['ready', undefined]);
    const { hash } = await putFile(hub, 'alice', DATA, 'a.bin', bytesOf(1_000));
    expect(await stream.next()).toEqual(['add a.bin']);
    const uploadedAt = new Date(hub.clock.now()).toISOString();
    expect(stream.data()).toMatchObject({
      changes: [{ size: 1_000, xetHash: hash, uploadedAt, mtime: '2023-11-14T22:13:20.123Z' }],
    });
    await change(
      ...([hub, 'alice', DATA] as const),
      ...[add('b', EMPTY), add('a.bin', EMPTY, 5), { type: 'deleteFile', path: 'none' }, add('../c', EMPTY)],
    );
    expect(await stream.next()).toEqual(['add b', 'update a.bin']);
    await change(hub, 'alice', DATA, add('b', EMPTY));
    await deletes('a.bin');
    expect(await stream.next()).toEqual(['delete a.bin']);
    expect(stream.data()).toMatchObject({ changes: [{ path: 'a.bin', op: 'delete' }] });
    await change(hub, 'alice', HIDDEN, add('elsewhere', EMPTY));
    await adds('d');
    expect(await stream.next()).toEqual(['add d']);
  });

  test('goes on after the changes that a cursor names', async () => {
    const stream = follow(hub.as('bob'));
    await stream.next();
    await adds('a');
    await stream.next();
    const cursor = stream.cursor() ?? '';
    expect(await follow(hub.as('bob'), { cursor }).next()).toBe('ready');
    await adds('b');
    await deletes('a');
    const later = follow(hub.as('bob'), { cursor });
    expect([await later.next(), await later.next(), await later.next()]).toEqual([['add b'], ['delete a'], 'ready']);
    expect(later.cursor()).not.toBe(cursor);
    expect(await follow(hub.as('bob'), { cursor: later.cursor() ?? '' }).next()).toBe('ready');
  });

  test('goes on from a time, so that nothing after the update that a client has seen is missed', async () => {
    const { updatedAt: created } = await getBucket({ ...hub.as('bob'), repo: DATA });
    expect(await follow(hub.as('bob'), { since: created }).next()).toBe('ready');
    hub.clock.advance(1_000);
    await adds('a');
    const { updatedAt } = await getBucket({ ...hub.as('bob'), repo: DATA });
    hub.clock.advance(1_000);
    await adds('b');
    const all = follow(hub.as('bob'), { since: created });
    expect([await all.next(), await all.next(), await all.next()]).toEqual([['add a'], ['add b'], 'ready']);
    // What happened in the same millisecond comes again rather than not at all.
    const some = follow(hub.as('bob'), { since: updatedAt });
    expect([await some.next(), await some.next()]).toEqual([['add a'], ['add b']]);
    const since = new Date(hub.clock.now() + 1).toISOString();
    expect(await follow(hub.as('bob'), { since }).next()).toBe('ready');
  });

  test('begins anew where the changes since then are gone', async () => {
    await adds('a');
    const first = follow(hub.as('bob'));
    await first.next();
    const [since, cursor] = [new Date(hub.clock.now()).toISOString(), first.cursor() ?? ''];
    hub.clock.advance(HOUR);
    await adds('b');
    const second = follow(hub.as('bob'));
    await second.next();
    hub.clock.advance(2 * DAY);
    await hub.drain();
    for (const from of [{ cursor }, { since }]) {
      const stream = follow(hub.as('bob'), from);
      expect([await stream.next(), await stream.next()]).toEqual(['reset', ENDED]);
    }
    // The last changes of a bucket stay, so that whoever has seen them has missed nothing.
    expect(await follow(hub.as('bob'), { cursor: second.cursor() ?? '' }).next()).toBe('ready');
    const { updatedAt } = await getBucket({ ...hub.as('bob'), repo: DATA });
    const again = follow(hub.as('bob'), { since: updatedAt });
    expect([await again.next(), await again.next()]).toEqual([['add b'], 'ready']);
  });

  test('begins anew in a hub that does not know the changes of before', async () => {
    await adds('a');
    const first = follow(hub.as('bob'));
    await first.next();
    const since = new Date(hub.clock.now() - 1).toISOString();
    // As after an upgrade, or in a hub that was restored.
    await hub.database.transaction((tx) => tx.deleteFrom('bucket_changes').execute());
    expect(await follow(hub.as('bob'), { since }).next()).toBe('reset');
    expect(await follow(hub.as('bob'), { cursor: first.cursor() ?? '' }).next()).toBe('reset');
    const { updatedAt } = await getBucket({ ...hub.as('bob'), repo: DATA });
    const again = follow(hub.as('bob'), { since: updatedAt });
    expect([await again.next(), again.cursor()]).toEqual(['ready', undefined]);
    hub.clock.advance(1);
    await adds('b');
    expect(await again.next()).toEqual(['add b']);
    expect(await follow(hub.as('bob'), { since }).next()).toBe('reset');
  });

  test('misses nothing when the clock was set back', async () => {
    await adds('a');
    const since = new Date(hub.clock.now()).toISOString();
    hub.clock.advance(-HOUR);
    await adds('b');
    await adds('c');
    const stream = follow(hub.as('bob'), { since });
    expect([await stream.next(), await stream.next(), await stream.next()]).toEqual([['add a'], ['add b'], ['add c']]);
  });

  test('begins anew in another bucket of the same name', async () => {
    await adds('a');
    const stream = follow(hub.as('bob'));
    await stream.next();
    const cursor = stream.cursor() ?? '';
    await deleteBucket({ ...hub.as('alice'), repo: DATA });
    expect(
      await follow(hub.as('bob'))
        .next()
        .catch(({ status }) => status),
    ).toBe(404);
    await createBucket({ ...hub.as('alice'), repo: DATA });
    await adds('a');
    expect(await follow(hub.as('bob'), { cursor }).next()).toBe('reset');
    hub.clock.advance(2 * HOUR);
    await hub.drain();
    const { _id } = await getBucket({ ...hub.as('alice'), repo: DATA });
    const left = await hub.database.read.selectFrom('bucket_changes').select('bucket_id').execute();
    expect(left).toEqual([{ bucket_id: _id }]);
  });

  test('may follow fifty at once', async () => {
    for (let times = 0; times < 50; times++) expect(await follow(hub.as('bob')).next()).toBe('ready');
    await expect(follow(hub.as('bob')).next()).rejects.toMatchObject({ status: 429 });
    expect(await follow(hub.as('alice')).next()).toBe('ready');
  });
});

test('a hub that stops tells those who follow a bucket to come back', async () => {
  const stopping = await startWithRepos();
  await createBucket({ ...stopping.as('alice'), repo: DATA });
  await change(stopping, 'alice', DATA, add('a', EMPTY));
  const stream = follow(stopping.as('bob'));
  await stream.next();
  const cursor = stream.cursor();
  await stopping[Symbol.asyncDispose]();
  expect([await stream.next(), stream.cursor(), await stream.next()]).toEqual(['reconnect', cursor, ENDED]);
});

test.each([
  ['?cursor=x', 400],
  ['?cursor=', 400],
  ['?since=yesterday', 400],
  ['?since=', 400],
])('%s is refused', async (query, status) => {
  expect((await ask(hub.as('bob'), `GET /api/buckets/${DATA}/events${query}`)).status).toBe(status);
});

describe('the stream of a bucket', () => {
  test('is closed to strangers and to those who may not read the bucket', async () => {
    const path = (repo: string) => `GET /api/buckets/${repo}/events` as const;
    expect((await ask({ hubUrl: hub.url }, path(DATA))).status).toBe(401);
    expect((await ask(hub.as('bob'), path(HIDDEN))).status).toBe(404);
    const [there, missing] = [await ask(hub.as('bob'), path(HIDDEN)), await ask(hub.as('bob'), path('alice/absent'))];
    expect((await there.text()).replace(HIDDEN, '')).toBe((await missing.text()).replace('alice/absent', ''));
  });

  test('is closed to a token that does not reach the bucket', async () => {
    const { token } = await createAccessToken({
      ...hub.as('alice'),
      ...{ displayName: 'narrow', role: 'fineGrained' as const },
      fineGrained: {
        scoped: [
          {
            entity: { type: 'bucket', _id: (await getBucket({ ...hub.as('alice'), repo: DATA }))._id },
            permissions: ['repo.content.read'],
          },
        ],
      },
    });
    expect(await follow(hub.with(token)).next()).toBe('ready');
    await expect(follow(hub.with(token), {}, HIDDEN).next()).rejects.toMatchObject({ status: 404 });
  });

  test('ends before the first change that its reader may not read', async () => {
    const [reader, owner] = [follow(hub.as('bob')), follow(hub.as('alice'))];
    expect([await reader.next(), await owner.next()]).toEqual(['ready', 'ready']);
    await updateRepoSettings({ ...hub.as('alice'), type: 'bucket', repo: DATA, settings: { private: true } });
    await adds('secret');
    expect([await reader.next(), await owner.next()]).toEqual([ENDED, ['add secret']]);
  });

  test('tells nobody what happened while a public bucket was private', async () => {
    const setPrivate = (isPrivate: boolean) =>
      updateRepoSettings({ ...hub.as('alice'), type: 'bucket', repo: DATA, settings: { private: isPrivate } });
    await adds('before');
    const first = follow(hub.as('bob'));
    await first.next();
    const from = { cursor: first.cursor() ?? '' };
    await setPrivate(true);
    await adds('secret');
    await deletes('secret');
    const owner = follow(hub.as('alice'), from);
    expect([await owner.next(), await owner.next(), await owner.next()]).toEqual([
      ['add secret'],
      ['delete secret'],
      'ready',
    ]);
    await setPrivate(false);
    const stranger = follow(hub.as('bob'), from);
    expect([await stranger.next(), await stranger.next()]).toEqual(['reset', ENDED]);
    const { updatedAt: since } = await getBucket({ ...hub.as('bob'), repo: DATA });
    const live = follow(hub.as('bob'), { since });
    expect(await live.next()).toBe('ready');
    await adds('after');
    expect([await live.next(), await owner.next()]).toEqual([['add after'], ['add after']]);
  });

  test('ends where the bucket is moved or deleted', async () => {
    const stream = follow(hub.as('bob'));
    await stream.next();
    await moveRepo({ ...hub.as('alice'), type: 'bucket', from: DATA, to: 'alice/moved' });
    await change(hub, 'alice', 'alice/moved', add('a', EMPTY));
    expect(await stream.next()).toBe(ENDED);
    expect(await follow(hub.as('bob'), {}, 'alice/moved').next()).toBe('ready');
  });

  test('ends at once when its token is deleted or its reader disabled', async () => {
    const made = await createAccessToken({ ...hub.as('bob'), displayName: 'one', role: 'read' });
    const [byToken, byUser] = [follow(hub.with(made.token)), follow(hub.as('bob'))];
    expect([await byToken.next(), await byUser.next()]).toEqual(['ready', 'ready']);
    await deleteAccessToken({ ...hub.as('bob'), tokenId: made.id });
    const startedAt = performance.now();
    expect(await byToken.next()).toBe(ENDED);
    await disableUser({ ...hub.admin, username: 'bob' });
    expect(await byUser.next()).toBe(ENDED);
    // Without a signal, a stream checks its caller only after 15 s.
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });
});

test('without a signal, a stream looks at the bucket and at the rights of its reader from time to time', async () => {
  const streams = createBucketStreams({ database: hub.database, signals: createSignals(), heartbeatMs: 1 });
  const principal = {
    ...{ userId: await idOf(hub, 'accounts', 'bob'), userName: 'bob', siteAdmin: false },
    token: { id: 't', role: 'write' },
  };
  const caller = { principal, baseUrl: 'http://hub.test' } as Caller;
  const name = { type: 'bucket' as const, namespace: 'alice', name: 'data' };
  const source = await streams.open(caller, name, { callerNow: async () => caller });
  const events = source(new AbortController().signal);
  expect((await events.next()).value).toContain('event: ready');
  expect((await events.next()).value).toBe(':\n\n');
  await adds('unheard');
  for (let heard = ':\n\n'; ; ) {
    heard = (await events.next()).value ?? ENDED;
    if (heard === ':\n\n') continue;
    expect(heard).toContain('"path":"unheard"');
    break;
  }
  await updateRepoSettings({ ...hub.as('alice'), type: 'bucket', repo: DATA, settings: { private: true } });
  await expect(
    (async () => {
      while (!(await events.next()).done);
    })(),
  ).rejects.toMatchObject({ status: 404 });
  streams.close();
});
