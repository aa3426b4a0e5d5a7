import { getUnsubscribePage, unsubscribe } from '@moonbase/client/mail';
import { whoAmI } from '@moonbase/client/profiles';
import { createRepo } from '@moonbase/client/repositories';
import { createWebhook, enableWebhook } from '@moonbase/client/webhooks';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { createPruneMails } from '../src/mail/prune.ts';
import { createSigner } from '../src/platform/secrets.ts';
import { createSettings, turnOff } from '../src/settings/index.ts';
import { ask } from './ask.ts';
import { DAY, HOUR, SECOND } from './clock.ts';
import { person, startHub, type TestHub } from './harness.ts';
import { HUB, startDiscussion, startMailPlace } from './mail-place.ts';
import { startReceiver } from './receiver.ts';
import { startMailServer } from './smtp-server.ts';
import { SECRET_KEY, unsubscribeToken } from './unsubscribe-token.ts';
import { refusal } from './webhooks-listen.ts';

const SETTINGS = { MOONBASE_MAIL_FROM: 'Moonbase <hub@example.com>' };

/** Ada, with an address, and a webhook of hers whose receiver says that it is gone; something happens then. */
async function suspendWebhook(hub: TestHub, url?: (target: string) => string) {
  await hub.apply({ users: [{ ...person('ada'), email: 'ada@example.com' }] });
  const ada = hub.as('ada');
  await using receiver = await startReceiver();
  receiver.answer(410);
  const { webhook } = await createWebhook({
    ...ada,
    webhook: {
      url: url?.(receiver.url) ?? receiver.url,
      watched: [{ type: 'user', name: 'ada' }],
      domains: ['repo'],
    },
  });
  await createRepo({ ...ada, repo: 'ada/letters' });
  await hub.drain();
  return { ada, one: { ...ada, webhookId: webhook.id }, origin: new URL(receiver.url).origin };
}

describe('the suspension of a webhook', () => {
  test('is mailed to its owner, without the secrets of its URL, and cannot be turned off', async () => {
    await using server = await startMailServer();
    await using hub = await startHub({ ...SETTINGS, MOONBASE_SMTP_URL: server.url });
    const { one, origin } = await suspendWebhook(hub, (target) => `${target}/s3cr3t-path?key=s3cr3t-key`);
    const [mail, ...others] = server.received();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({
      subject: `Your webhook to ${origin} was suspended`,
      envelope: { from: 'hub@example.com', to: ['ada@example.com'] },
    });
    expect(mail?.text).toContain(`    The receiver answered 410`);
    expect(mail?.text).toContain(`curl -X POST ${hub.url}/api/settings/webhooks/${one.webhookId}/enable`);
    expect(mail?.source).not.toContain('s3cr3t');
    expect(mail?.header('list-unsubscribe')).toBeUndefined();
    expect(mail?.source).not.toContain('unsubscribe');
    expect(mail?.header('auto-submitted')).toBe('auto-generated');

    await enableWebhook(one);
    await hub.drain();
    expect(server.received()).toEqual([]);
  });

  test('is mailed to nobody where mail is off, and not later either', async () => {
    await using server = await startMailServer();
    await using hub = await startHub();
    await suspendWebhook(hub);
    hub.clock.advance(DAY);
    await hub.drain();
    expect(server.connections()).toBe(0);
  });

  test('waits for a mail server that is away, while everything else goes on', async () => {
    const away = await startMailServer();
    await away[Symbol.asyncDispose]();
    const logged: string[] = [];
    const logger = pino({ level: 'error' }, { write: (line: string) => void logged.push(line) });
    const url = away.url.replace('smtp://', 'smtp://robot:hunter2@');
    await using hub = await startHub({ ...SETTINGS, MOONBASE_SMTP_URL: url }, { logger });
    await suspendWebhook(hub);
    await using server = await startMailServer({}, away.port);
    hub.clock.advance(SECOND);
    await hub.drain();
    expect(server.received()).toMatchObject([{ envelope: { to: ['ada@example.com'] } }]);
    expect(logged.join('')).toMatch(/"mailId":"\w+","reason":"[^"]*ECONNREFUSED[^"]*","msg":"a mail was not sent"/);
    expect(logged.join('')).not.toContain('hunter2');
  });
});

describe('a claim', () => {
  const decided = async (action: 'request' | 'verify' | 'reject') => {
    const place = await startMailPlace();
    const ada = await place.person('ada');
    const paperId = place.ids();
    await place.database.transaction((tx) =>
      tx
        .insertInto('papers')
        .values({ id: paperId, arxiv_id: '2401.01234', title: 'On Letters', summary: '', created_at: 0 })
        .execute(),
    );
    const event = {
      id: place.ids(),
      topic: 'claim',
      createdAt: place.clock.now(),
      epoch: 0,
      data: { action, claimId: place.ids(), paperId, userId: ada.principal.userId, actorId: place.ids() },
    };
    return {
      ...place,
      ada,
      /** Returns what was mailed. */
      async react() {
        await place.database.transaction((tx) => place.reactions.mailClaimant(tx, event, undefined));
        await place.drain();
        return place.server.received();
      },
    };
  };

  test.each([
    ['verify', '[papers] Claim verified: On Letters (2401.01234)', 'was verified'],
    ['reject', '[papers] Claim rejected: On Letters (2401.01234)', 'was rejected'],
  ] as const)('that ends (%s) is mailed to the claimant at once, and once', async (action, subject, text) => {
    await using place = await decided(action);
    const [mail] = await place.react();
    expect(mail).toMatchObject({ subject, text: expect.stringContaining(text) });
    expect(mail?.text).toContain(`${HUB}/papers/2401.01234`);
    expect(mail?.header('list-unsubscribe')).toContain('.arxiv_paper_activity.');
    expect(await place.react()).toEqual([]);
  });

  test('that begins is mailed to nobody', async () => {
    await using place = await decided('request');
    expect(await place.react()).toEqual([]);
  });

  test('is not mailed to who does not want it', async () => {
    await using place = await decided('verify');
    await place.database.transaction((tx) => turnOff(tx, place.ada.principal.userId, 'arxiv_paper_activity'));
    expect(await place.react()).toEqual([]);
    expect(await place.rows()).toEqual([]);
  });
});

describe('the link in a mail', () => {
  /** A hub, and links in mails to ada. */
  async function linked() {
    const hub = await startHub({ MOONBASE_SECRET_KEY: SECRET_KEY });
    await hub.people('ada');
    const { id } = await whoAmI(hub.as('ada'));
    return {
      hub,
      id,
      token: (kind: string) => unsubscribeToken(id, kind),
      visitor: { hubUrl: hub.url },
      [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose](),
    };
  }

  test('opens a page that asks and changes nothing', async () => {
    await using place = await linked();
    const path = `/unsubscribe/${place.token('discussions_watched')}` as const;
    const answer = await ask(place.visitor, `GET ${path}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await answer.text()).toMatch(/discussions where you watch[\s\S]*<form method="post">/);
    expect(await getUnsubscribePage({ hubUrl: place.hub.url, token: place.token('discussions_watched') })).toContain(
      'form',
    );
  });

  test.each([
    ['application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
    [
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
    ],
    ['application/json', '{}'],
  ])('takes one click sent as %s, without signing in', async (type, body) => {
    await using place = await linked();
    const path = `/unsubscribe/${place.token('discussions_watched')}` as const;
    for (let click = 0; click < 2; click++) {
      const answer = await ask(place.visitor, `POST ${path}`, body, { 'content-type': type });
      expect(answer.status).toBe(200);
      expect(await answer.text()).toContain('no more mails about discussions where you watch');
    }
    await unsubscribe({ hubUrl: place.hub.url, token: place.token('discussions_watched') });
  });

  test('is worth nothing when it is not one that this hub made', async () => {
    await using place = await linked();
    const good = place.token('discussions_watched');
    const statement = `${place.id}.discussions_watched`;
    for (const token of [
      'x',
      `${good}x`,
      good.slice(0, -1),
      good.replace('discussions_watched', 'discussions_participating'),
      unsubscribeToken(place.id, 'discussions_watched', 'another key, long enough to be one'),
      `${statement}.${createSigner(SECRET_KEY, 'something else').sign(statement)}`,
      unsubscribeToken(place.id, 'security'),
    ]) {
      expect(await refusal(unsubscribe({ hubUrl: place.hub.url, token }))).toMatchObject({ status: 404 });
      expect(await refusal(getUnsubscribePage({ hubUrl: place.hub.url, token }))).toMatchObject({ status: 404 });
    }
    const long = await refusal(unsubscribe({ hubUrl: place.hub.url, token: 'x'.repeat(300) }));
    expect(long).toMatchObject({ status: 400 });
  });

  test('does not make other routes take forms', async () => {
    await using place = await linked();
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await ask(place.hub.as('ada'), 'POST /api/repos/create', 'name=x', form)).status).toBe(415);
  });

  test('turns off that kind only, of that user only', async () => {
    await using place = await startDiscussion();
    const carol = await place.person('carol');
    await place.tell([place.bob, carol], place.thread.id, place.thread.first, 'discussions_watched');
    const mails = await place.mails();
    const ofBob = mails.find(({ envelope }) => envelope.to[0] === place.bob.email);
    const link = /<(\S+)>/.exec(ofBob?.header('list-unsubscribe') ?? '')?.[1] ?? '';
    expect(ofBob?.text).toContain(link);
    expect(await place.unsubscribing.unsubscribe(link.split('/').at(-1) ?? '')).toBe('discussions_watched');
    const settings = await place.database.read.selectFrom('notification_settings').selectAll().execute();
    expect(settings).toMatchObject([
      {
        user_id: place.bob.principal.userId,
        data: '{"notifications":{"discussions_watched":false}}',
        discussions_watched: 0,
        discussions_participating: 1,
        web_discussions_watched: 1,
      },
    ]);
    const next = await place.comment(place.ada, 1, 'More.');
    await place.tell([place.bob, carol], place.thread.id, next, 'discussions_watched');
    expect((await place.mails()).map(({ envelope }) => envelope.to[0])).toEqual([carol.email]);
    await place.tell([place.bob], place.thread.id, next, 'discussions_participating');
    expect(await place.mails()).toHaveLength(1);
  });

  test('keeps what else is set, and does nothing where the user is gone', async () => {
    await using place = await startMailPlace();
    const ada = await place.person('ada');
    const { userId } = ada.principal;
    const db = place.database.read;
    await createSettings(place).updateNotifications(ada, {
      notifications: { announcements: true, posts_participating: true },
    });
    const tokenOf = (kind: string) => place.unsubscribing.url('', userId, kind)?.split('/').at(-1) ?? '';
    await place.unsubscribing.unsubscribe(tokenOf('posts_participating'));
    expect(await db.selectFrom('notification_settings').selectAll().executeTakeFirst()).toMatchObject({
      data: '{"notifications":{"announcements":true,"posts_participating":false}}',
      posts_participating: 0,
    });
    await place.database.transaction((tx) => tx.deleteFrom('accounts').where('id', '=', userId).execute());
    await place.unsubscribing.unsubscribe(tokenOf('posts_participating'));
    expect(await db.selectFrom('notification_settings').selectAll().execute()).toEqual([]);
  });
});

test('mails that are done with are deleted after 30 days, a batch at a time; what waits stays', async () => {
  await using place = await startDiscussion();
  await place.tell([place.bob], place.thread.id, place.thread.first);
  expect(await place.mails()).toHaveLength(1);
  const step = createPruneMails({ clock: place.clock });
  const run = () => place.database.transaction((tx) => step(tx, { id: '', data: null, createdAt: place.clock.now() }));
  place.clock.advance(30 * DAY - HOUR);
  await place.tell([place.bob], place.thread.id, place.thread.first);
  expect(await run()).toBe('done');
  expect(await place.rows()).toHaveLength(2);
  place.clock.advance(2 * HOUR);
  expect(await run()).toBe('done');
  expect(await place.rows()).toMatchObject([{ state: 'waiting' }]);
});
