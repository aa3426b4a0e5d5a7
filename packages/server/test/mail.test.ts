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
import { createAuditRecorder } from './audit-recorder.ts';
import { DAY, HOUR, SECOND } from './clock.ts';
import { person, startHub, type TestHub } from './harness.ts';
import { keepingLogger } from './logged-lines.ts';
import { HUB, startDiscussion, startMailFixture } from './mail-fixture.ts';
import { startReceiver } from './receiver.ts';
import { startMailServer } from './smtp-server.ts';
import { SECRET_KEY, unsubscribeToken } from './unsubscribe-token.ts';
import { refusal } from './webhooks-listen.ts';

const SETTINGS = { MOONBASE_MAIL_FROM: 'Moonbase <hub@example.com>' };

/** Creates ada with an address and a webhook whose receiver returns 410, and lets an event occur. */
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

  test('is mailed to nobody while mail is off, and not later either', async () => {
    await using server = await startMailServer();
    await using hub = await startHub();
    await suspendWebhook(hub);
    hub.clock.advance(DAY);
    await hub.drain();
    expect(server.connections()).toBe(0);
  });

  test('waits for an unreachable mail server while everything else continues', async () => {
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
    expect(logged.join('')).toMatch(/"mailId":"\w+","reason":"[^"]*ECONNREFUSED[^"]*","msg":"mails are not sent/);
    expect(logged.join('')).not.toContain('hunter2');
  });
});

test('a mail server that cannot be used is told at the start of the hub, without its password', async () => {
  const away = await startMailServer();
  await away[Symbol.asyncDispose]();
  const { lines, logger } = keepingLogger('error');
  const url = away.url.replace('smtp://', 'smtp://robot:hunter2@');
  await using _hub = await startHub({ ...SETTINGS, MOONBASE_SMTP_URL: url }, { background: true, logger });
  await expect.poll(() => lines).toEqual([expect.stringMatching(/"reason":"[^"]*ECONNREFUSED.*mails are not sent/)]);
  expect(lines.join('')).not.toContain('hunter2');
});

describe('a claim', () => {
  const decided = async (action: 'request' | 'verify' | 'reject') => {
    const fixture = await startMailFixture();
    const ada = await fixture.person('ada');
    const paperId = fixture.ids();
    await fixture.database.transaction((tx) =>
      tx
        .insertInto('papers')
        .values({ id: paperId, arxiv_id: '2401.01234', title: 'On Letters', summary: '', created_at: 0 })
        .execute(),
    );
    const event = {
      id: fixture.ids(),
      topic: 'claim',
      createdAt: fixture.clock.now(),
      epoch: 0,
      data: { action, claimId: fixture.ids(), paperId, userId: ada.principal.userId, actorId: fixture.ids() },
      ...{ text: '', trace: null },
    };
    return {
      ...fixture,
      ada,
      /** Runs the reaction; returns the mails. */
      async react() {
        await fixture.database.transaction((tx) => fixture.reactions.mailClaimant(tx, event, undefined));
        await fixture.drain();
        return fixture.server.received();
      },
    };
  };

  test.each([
    ['verify', '[papers] Claim verified: On Letters (2401.01234)', 'was verified'],
    ['reject', '[papers] Claim rejected: On Letters (2401.01234)', 'was rejected'],
  ] as const)('that ends (%s) is mailed to the claimant at once, and once', async (action, subject, text) => {
    await using fixture = await decided(action);
    const [mail] = await fixture.react();
    expect(mail).toMatchObject({ subject, text: expect.stringContaining(text) });
    expect(mail?.text).toContain(`${HUB}/papers/2401.01234`);
    expect(mail?.header('list-unsubscribe')).toContain('.arxiv_paper_activity.');
    expect(await fixture.react()).toEqual([]);
  });

  test('is not mailed when it is created', async () => {
    await using fixture = await decided('request');
    expect(await fixture.react()).toEqual([]);
  });

  test('is not mailed to a user who turned such mails off', async () => {
    await using fixture = await decided('verify');
    await fixture.database.transaction((tx) => turnOff(tx, fixture.ada.principal.userId, 'arxiv_paper_activity'));
    expect(await fixture.react()).toEqual([]);
    expect(await fixture.rows()).toEqual([]);
  });
});

describe('the link in a mail', () => {
  /** Starts a hub whose mails to ada have links. */
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

  test('opens a page that asks first and changes nothing', async () => {
    await using fixture = await linked();
    const path = `/unsubscribe/${fixture.token('discussions_watched')}` as const;
    const answer = await ask(fixture.visitor, `GET ${path}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await answer.text()).toMatch(/discussions where you watch[\s\S]*<form method="post">/);
    expect(
      await getUnsubscribePage({ hubUrl: fixture.hub.url, token: fixture.token('discussions_watched') }),
    ).toContain('form');
  });

  test.each([
    ['application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
    [
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
    ],
    ['application/json', '{}'],
  ])('accepts one click sent as %s, without signing in', async (type, body) => {
    await using fixture = await linked();
    const path = `/unsubscribe/${fixture.token('discussions_watched')}` as const;
    for (let click = 0; click < 2; click++) {
      const answer = await ask(fixture.visitor, `POST ${path}`, body, { 'content-type': type });
      expect(answer.status).toBe(200);
      expect(await answer.text()).toContain('no more mails about discussions where you watch');
    }
    await unsubscribe({ hubUrl: fixture.hub.url, token: fixture.token('discussions_watched') });
  });

  test('is refused if this hub did not create it', async () => {
    await using fixture = await linked();
    const good = fixture.token('discussions_watched');
    const statement = `${fixture.id}.discussions_watched`;
    for (const token of [
      'x',
      `${good}x`,
      good.slice(0, -1),
      good.replace('discussions_watched', 'discussions_participating'),
      unsubscribeToken(fixture.id, 'discussions_watched', 'another key, long enough to be one'),
      `${statement}.${createSigner(SECRET_KEY, 'something else').sign(statement)}`,
      unsubscribeToken(fixture.id, 'security'),
    ]) {
      expect(await refusal(unsubscribe({ hubUrl: fixture.hub.url, token }))).toMatchObject({ status: 404 });
      expect(await refusal(getUnsubscribePage({ hubUrl: fixture.hub.url, token }))).toMatchObject({ status: 404 });
    }
    const long = await refusal(unsubscribe({ hubUrl: fixture.hub.url, token: 'x'.repeat(300) }));
    expect(long).toMatchObject({ status: 400 });
  });

  test('does not make other routes accept forms', async () => {
    await using fixture = await linked();
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await ask(fixture.hub.as('ada'), 'POST /api/repos/create', 'name=x', form)).status).toBe(415);
  });

  test('turns off one kind for one user only', async () => {
    await using fixture = await startDiscussion();
    const carol = await fixture.person('carol');
    await fixture.tell([fixture.bob, carol], fixture.thread.id, fixture.thread.first, 'discussions_watched');
    const mails = await fixture.mails();
    const ofBob = mails.find(({ envelope }) => envelope.to[0] === fixture.bob.email);
    const link = /<(\S+)>/.exec(ofBob?.header('list-unsubscribe') ?? '')?.[1] ?? '';
    expect(ofBob?.text).toContain(link);
    expect(await fixture.unsubscribing.unsubscribe(link.split('/').at(-1) ?? '')).toBe('discussions_watched');
    const settings = await fixture.database.read.selectFrom('notification_settings').selectAll().execute();
    expect(settings).toMatchObject([
      {
        user_id: fixture.bob.principal.userId,
        data: '{"notifications":{"discussions_watched":false}}',
        discussions_watched: 0,
        discussions_participating: 1,
        web_discussions_watched: 1,
      },
    ]);
    const next = await fixture.comment(fixture.ada, 1, 'More.');
    await fixture.tell([fixture.bob, carol], fixture.thread.id, next, 'discussions_watched');
    expect((await fixture.mails()).map(({ envelope }) => envelope.to[0])).toEqual([carol.email]);
    await fixture.tell([fixture.bob], fixture.thread.id, next, 'discussions_participating');
    expect(await fixture.mails()).toHaveLength(1);
  });

  test('keeps other settings, and does nothing if the user was deleted', async () => {
    await using fixture = await startMailFixture();
    const ada = await fixture.person('ada');
    const { userId } = ada.principal;
    const db = fixture.database.read;
    await createSettings({ ...fixture, audit: createAuditRecorder() }).updateNotifications(ada, {
      notifications: { announcements: true, posts_participating: true },
    });
    const tokenOf = (kind: string) => fixture.unsubscribing.url('', userId, kind)?.split('/').at(-1) ?? '';
    await fixture.unsubscribing.unsubscribe(tokenOf('posts_participating'));
    expect(await db.selectFrom('notification_settings').selectAll().executeTakeFirst()).toMatchObject({
      data: '{"notifications":{"announcements":true,"posts_participating":false}}',
      posts_participating: 0,
    });
    await fixture.database.transaction((tx) => tx.deleteFrom('accounts').where('id', '=', userId).execute());
    await fixture.unsubscribing.unsubscribe(tokenOf('posts_participating'));
    expect(await db.selectFrom('notification_settings').selectAll().execute()).toEqual([]);
  });
});

test('finished mails are deleted after 30 days, a batch at a time; waiting mails stay', async () => {
  await using fixture = await startDiscussion();
  await fixture.tell([fixture.bob], fixture.thread.id, fixture.thread.first);
  expect(await fixture.mails()).toHaveLength(1);
  const step = createPruneMails({ clock: fixture.clock });
  const run = () =>
    fixture.database.transaction((tx) => step(tx, { id: '', data: null, createdAt: fixture.clock.now() }));
  fixture.clock.advance(30 * DAY - HOUR);
  await fixture.tell([fixture.bob], fixture.thread.id, fixture.thread.first);
  expect(await run()).toBe('done');
  expect(await fixture.rows()).toHaveLength(2);
  fixture.clock.advance(2 * HOUR);
  expect(await run()).toBe('done');
  expect(await fixture.rows()).toMatchObject([{ state: 'waiting' }]);
});
