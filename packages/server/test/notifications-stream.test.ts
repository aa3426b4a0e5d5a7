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
import { type InboxHub, startInboxHub, titleOf } from './inbox-hub.ts';

const REPO = { type: 'model', repo: 'alice/letters' } as const;

let hub: InboxHub;
let open: AbortController[];
beforeEach(async () => {
  hub = await startInboxHub('alice', 'bob', 'carol');
  open = [];
  await createRepo({ ...hub.as('alice'), repo: REPO.repo });
});
afterEach(async () => {
  for (const each of open) each.abort();
  await hub[Symbol.asyncDispose]();
});

const mention = (title: string, name = 'bob') =>
  createDiscussion({ ...hub.as('alice'), ...REPO, title, description: `@${name}` });

/** Opens a stream; `next` returns its next message in short. */
function listen(as: Connection) {
  const closing = new AbortController();
  open.push(closing);
  const events = streamNotifications({ ...as, signal: closing.signal });
  const summaryOf = ({ event, data }: NotificationEvent) =>
    event === 'count' ? `${data.unread}/${data.all}` : titleOf(data);
  return {
    next: async () => {
      const { done, value } = await events.next();
      return done ? 'end' : summaryOf(value);
    },
    close: () => closing.abort(),
  };
}

describe('a stream', () => {
  test('begins with the counters, then sends every change of counters and every new notification', async () => {
    await mention('before');
    await hub.drain();
    const stream = listen(hub.as('bob'));
    expect(await stream.next()).toBe('1/1');
    await mention('first');
    await hub.drain();
    expect([await stream.next(), await stream.next()]).toEqual(['2/2', 'first']);
    await markNotifications({ ...hub.as('bob'), applyToAll: true });
    expect(await stream.next()).toBe('0/2');
    hub.clock.advance(1000);
    await commentDiscussion({ ...hub.as('alice'), ...REPO, num: 1, comment: 'News' });
    await hub.drain();
    expect([await stream.next(), await stream.next()]).toEqual(['1/2', 'before']);
    await deleteNotifications({ ...hub.as('bob'), applyToAll: true });
    expect(await stream.next()).toBe('0/0');
  });

  test('sends a notification of an earlier activity that is handled later', async () => {
    const stream = listen(hub.as('bob'));
    expect(await stream.next()).toBe('0/0');
    await mention('early');
    const { id } = await hub.lastEvent(discussionTopic);
    const dueAt = hub.clock.now() + 60_000;
    await hub.database.transaction((tx) =>
      tx.updateTable('events').set({ due_at: dueAt }).where('id', '=', id).execute(),
    );
    hub.clock.advance(1000);
    await mention('late');
    await hub.drain();
    expect([await stream.next(), await stream.next()]).toEqual(['1/1', 'late']);
    hub.clock.advance(60_000);
    await hub.drain();
    expect([await stream.next(), await stream.next()]).toEqual(['2/2', 'early']);
  });

  test('does not send a notification again that moves up after a deletion', async () => {
    for (let at = 0; at < 26; at++) {
      hub.clock.advance(1000);
      await mention(`number ${at}`);
    }
    await hub.drain();
    const stream = listen(hub.as('bob'));
    expect(await stream.next()).toBe('26/26');
    const [newest] = (await hub.inbox('bob')).notifications;
    const discussionIds = newest?.type === 'repo' ? [newest.discussion.id] : [];
    await deleteNotifications({ ...hub.as('bob'), discussionIds });
    expect(await stream.next()).toBe('25/25');
    await mention('news');
    await hub.drain();
    expect([await stream.next(), await stream.next()]).toEqual(['26/26', 'news']);
  });

  test('that is closed before its response does not count', async () => {
    const { hostname, port } = new URL(hub.url);
    for (let times = 0; times < 30; times++) {
      const socket = connect(Number(port), hostname);
      await once(socket, 'connect');
      const head = `GET /api/notifications/stream HTTP/1.1\r\nHost: ${hostname}:${port}`;
      socket.write(`${head}\r\nAuthorization: Bearer ${hub.as('bob').accessToken}\r\n\r\n`);
      await setImmediate();
      socket.destroy();
    }
    await expect
      .poll(() =>
        listen(hub.as('bob'))
          .next()
          .catch((error: HubApiError) => error.status),
      )
      .toBe('0/0');
  });

  test('sends nothing that concerns other users only', async () => {
    const [bob, carol] = [listen(hub.as('bob')), listen(hub.as('carol'))];
    expect([await bob.next(), await carol.next()]).toEqual(['0/0', '0/0']);
    await mention('for carol', 'carol');
    await hub.drain();
    expect([await carol.next(), await carol.next()]).toEqual(['1/1', 'for carol']);
    await mention('for bob');
    await hub.drain();
    expect([await bob.next(), await bob.next()]).toEqual(['1/1', 'for bob']);
  });

  test('reaches every window of a user, and continues when another one closes', async () => {
    const windows = [listen(hub.as('bob')), listen(hub.as('bob'))];
    for (const window of windows) await window.next();
    windows[0]?.close();
    await mention('news');
    await hub.drain();
    expect([await windows[1]?.next(), await windows[1]?.next()]).toEqual(['1/1', 'news']);
  });

  test('has the headers of an event stream, and supports HEAD', async () => {
    const answer = await ask(hub.as('bob'), 'GET /api/notifications/stream', undefined, { 'last-event-id': '7' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    await answer.body?.cancel();
    for (let times = 0; times < 12; times++)
      expect((await ask(hub.as('bob'), 'HEAD /api/notifications/stream' as never)).status).toBe(200);
  });

  test('is limited to ten per user; a closed one makes room', async () => {
    const streams = [];
    for (let times = 0; times < 10; times++) {
      const stream = listen(hub.as('bob'));
      expect(await stream.next()).toBe('0/0');
      streams.push(stream);
    }
    await expect(listen(hub.as('bob')).next()).rejects.toMatchObject({ status: 429 });
    expect(await listen(hub.as('carol')).next()).toBe('0/0');
    streams[0]?.close();
    await expect
      .poll(() =>
        listen(hub.as('bob'))
          .next()
          .catch((error: HubApiError) => error.status),
      )
      .toBe('0/0');
  });

  test('requires a token that may read notifications', async () => {
    await expect(listen({ ...hub.as('bob'), accessToken: 'hf_nobody' }).next()).rejects.toMatchObject({ status: 401 });
    await hub.apply({
      users: [{ name: 'bob', tokens: [{ name: 'none', role: 'fineGrained', token: 'hf_noneAtAll00' }] }],
    });
    await expect(listen(hub.with('hf_noneAtAll00')).next()).rejects.toMatchObject({ status: 403 });
  });

  test('ends before its next event when the token is revoked', async () => {
    const stream = listen(hub.as('bob'));
    await stream.next();
    await hub.apply({ users: [{ name: 'bob', tokens: [{ name: 'test', state: 'absent' }] }] });
    await mention('secret');
    await hub.drain();
    expect(await stream.next()).toBe('end');
  });
});

test('a hub that stops ends its streams without waiting for clients', async () => {
  const hub = await startHub();
  await hub.people('bob');
  const events = streamNotifications(hub.as('bob'));
  expect((await events.next()).value).toMatchObject({ event: 'count' });
  await hub[Symbol.asyncDispose]();
  expect(await events.next()).toEqual({ done: true, value: undefined });
});

describe('without a signal', () => {
  test('a stream checks the inbox from time to time and sends a heartbeat if nothing changed', async () => {
    const signals = createSignals();
    const streams = createNotificationStreams({ database: hub.database, signals, heartbeatMs: 1 });
    const principal = {
      userId: await hub.idOf('bob'),
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
    await hub.drain();
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
