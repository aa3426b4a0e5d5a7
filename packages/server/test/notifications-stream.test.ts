import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { commentDiscussion, createDiscussion } from '@moonbase/client/discussions';
import type { HubApiError } from '@moonbase/client/errors';
import {
  deleteNotifications,
  markNotifications,
  type NotificationEvent,
  streamNotifications,
} from '@moonbase/client/notifications';
import { createRepo } from '@moonbase/client/repositories';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createNotificationStreams } from '../src/notifications/stream.ts';
import type { Caller } from '../src/platform/http/authenticate.ts';
import { createSignals } from '../src/platform/queue/signals.ts';
import { discussionTopic } from '../src/repositories/index.ts';
import { ask } from './ask.ts';
import { type Connection, startHub } from './harness.ts';
import { type InboxTown, inboxTown, titleOf } from './inbox-town.ts';

const REPO = { type: 'model', repo: 'alice/letters' } as const;

let town: InboxTown;
let open: AbortController[];
beforeEach(async () => {
  town = await inboxTown('alice', 'bob', 'carol');
  open = [];
  await createRepo({ ...town.as('alice'), repo: REPO.repo });
});
afterEach(async () => {
  for (const each of open) each.abort();
  await town[Symbol.asyncDispose]();
});

const mention = (title: string, name = 'bob') =>
  createDiscussion({ ...town.as('alice'), ...REPO, title, description: `@${name}` });

/** Listens; `next` answers what comes next, in short. */
function listen(as: Connection) {
  const closing = new AbortController();
  open.push(closing);
  const events = streamNotifications({ ...as, signal: closing.signal });
  const short = ({ event, data }: NotificationEvent) =>
    event === 'count' ? `${data.unread}/${data.all}` : titleOf(data);
  return {
    next: async () => {
      const { done, value } = await events.next();
      return done ? 'end' : short(value);
    },
    close: () => closing.abort(),
  };
}

describe('a stream', () => {
  test('begins with the counters, then tells every change of them and what is new', async () => {
    await mention('before');
    await town.drain();
    const stream = listen(town.as('bob'));
    expect(await stream.next()).toBe('1/1');
    await mention('first');
    await town.drain();
    expect([await stream.next(), await stream.next()]).toEqual(['2/2', 'first']);
    await markNotifications({ ...town.as('bob'), applyToAll: true });
    expect(await stream.next()).toBe('0/2');
    town.clock.advance(1000);
    await commentDiscussion({ ...town.as('alice'), ...REPO, num: 1, comment: 'News' });
    await town.drain();
    expect([await stream.next(), await stream.next()]).toEqual(['1/2', 'before']);
    await deleteNotifications({ ...town.as('bob'), applyToAll: true });
    expect(await stream.next()).toBe('0/0');
  });

  test('tells what happened earlier and is reacted to later, as a later page of many watchers is', async () => {
    const stream = listen(town.as('bob'));
    expect(await stream.next()).toBe('0/0');
    await mention('early');
    const { id } = await town.lastEvent(discussionTopic);
    const dueAt = town.clock.now() + 60_000;
    await town.database.transaction((tx) =>
      tx.updateTable('events').set({ due_at: dueAt }).where('id', '=', id).execute(),
    );
    town.clock.advance(1000);
    await mention('late');
    await town.drain();
    expect([await stream.next(), await stream.next()]).toEqual(['1/1', 'late']);
    town.clock.advance(60_000);
    await town.drain();
    expect([await stream.next(), await stream.next()]).toEqual(['2/2', 'early']);
  });

  test('does not tell again what moves up as another one goes', async () => {
    for (let at = 0; at < 26; at++) {
      town.clock.advance(1000);
      await mention(`number ${at}`);
    }
    await town.drain();
    const stream = listen(town.as('bob'));
    expect(await stream.next()).toBe('26/26');
    const [newest] = (await town.inbox('bob')).notifications;
    const discussionIds = newest?.type === 'repo' ? [newest.discussion.id] : [];
    await deleteNotifications({ ...town.as('bob'), discussionIds });
    expect(await stream.next()).toBe('25/25');
    await mention('news');
    await town.drain();
    expect([await stream.next(), await stream.next()]).toEqual(['26/26', 'news']);
  });

  test('that is given up before it was answered takes no place', async () => {
    const { hostname, port } = new URL(town.url);
    for (let times = 0; times < 30; times++) {
      const socket = connect(Number(port), hostname);
      await once(socket, 'connect');
      const head = `GET /api/notifications/stream HTTP/1.1\r\nHost: ${hostname}:${port}`;
      socket.write(`${head}\r\nAuthorization: Bearer ${town.as('bob').accessToken}\r\n\r\n`);
      await setImmediate();
      socket.destroy();
    }
    await expect
      .poll(() =>
        listen(town.as('bob'))
          .next()
          .catch((error: HubApiError) => error.status),
      )
      .toBe('0/0');
  });

  test('says nothing of what concerns others', async () => {
    const [bob, carol] = [listen(town.as('bob')), listen(town.as('carol'))];
    expect([await bob.next(), await carol.next()]).toEqual(['0/0', '0/0']);
    await mention('for carol', 'carol');
    await town.drain();
    expect([await carol.next(), await carol.next()]).toEqual(['1/1', 'for carol']);
    await mention('for bob');
    await town.drain();
    expect([await bob.next(), await bob.next()]).toEqual(['1/1', 'for bob']);
  });

  test('is heard in every window, and goes on where another one closes', async () => {
    const windows = [listen(town.as('bob')), listen(town.as('bob'))];
    for (const window of windows) await window.next();
    windows[0]?.close();
    await mention('news');
    await town.drain();
    expect([await windows[1]?.next(), await windows[1]?.next()]).toEqual(['1/1', 'news']);
  });

  test('has the headers of one, and answers HEAD', async () => {
    const answer = await ask(town.as('bob'), 'GET /api/notifications/stream', undefined, { 'last-event-id': '7' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    await answer.body?.cancel();
    for (let times = 0; times < 12; times++)
      expect((await ask(town.as('bob'), 'HEAD /api/notifications/stream' as never)).status).toBe(200);
  });

  test('ten of one user at most; one that closes makes room', async () => {
    const streams = [];
    for (let times = 0; times < 10; times++) {
      const stream = listen(town.as('bob'));
      expect(await stream.next()).toBe('0/0');
      streams.push(stream);
    }
    await expect(listen(town.as('bob')).next()).rejects.toMatchObject({ status: 429 });
    expect(await listen(town.as('carol')).next()).toBe('0/0');
    streams[0]?.close();
    await expect
      .poll(() =>
        listen(town.as('bob'))
          .next()
          .catch((error: HubApiError) => error.status),
      )
      .toBe('0/0');
  });

  test('needs a token with the right to', async () => {
    await expect(listen({ ...town.as('bob'), accessToken: 'hf_nobody' }).next()).rejects.toMatchObject({ status: 401 });
    await town.apply({
      users: [{ name: 'bob', tokens: [{ name: 'none', role: 'fineGrained', token: 'hf_noneAtAll00' }] }],
    });
    await expect(listen(town.with('hf_noneAtAll00')).next()).rejects.toMatchObject({ status: 403 });
  });

  test('ends before the next word where the token is gone', async () => {
    const stream = listen(town.as('bob'));
    await stream.next();
    await town.apply({ users: [{ name: 'bob', tokens: [{ name: 'test', state: 'absent' }] }] });
    await mention('secret');
    await town.drain();
    expect(await stream.next()).toBe('end');
  });
});

test('a hub that stops ends its streams and does not wait for them', async () => {
  const hub = await startHub();
  await hub.people('bob');
  const events = streamNotifications(hub.as('bob'));
  expect((await events.next()).value).toMatchObject({ event: 'count' });
  await hub[Symbol.asyncDispose]();
  expect(await events.next()).toEqual({ done: true, value: undefined });
});

describe('without a nudge', () => {
  test('the inbox itself is looked at from time to time; where nothing happened a heartbeat shows life', async () => {
    const signals = createSignals();
    const streams = createNotificationStreams({ database: town.database, signals, heartbeatMs: 1 });
    const principal = {
      userId: await town.idOf('bob'),
      userName: 'bob',
      siteAdmin: false,
      token: { id: 't', role: 'write' },
    };
    const caller = { principal, baseUrl: 'http://hub.test' } as Caller;
    const closed = new AbortController();
    const events = streams.open(caller, async () => caller)(closed.signal);
    expect((await events.next()).value).toContain('event: count');
    expect((await events.next()).value).toBe(':\n\n');
    await mention('unheard');
    await town.drain();
    const heard: string[] = [];
    while (heard.length < 2) {
      const { value } = await events.next();
      if (value && value !== ':\n\n') heard.push(value.split('\n')[0] ?? '');
    }
    expect(heard).toEqual(['event: count', 'event: notification']);
    closed.abort();
    while (!(await events.next()).done);
    streams.close();
    expect(() => streams.open(caller, async () => caller)).toThrow(/stopping/);
  });
});
