import { describe, expect, test } from 'vitest';
import { deleteMembership, setMemberships } from '../src/access/memberships/store.ts';
import { createSettings } from '../src/settings/index.ts';
import { createAuditRecorder } from './audit-recorder.ts';
import { DAY, HOUR, MINUTE, SECOND } from './clock.ts';
import { HUB, type MailFixture, QUIET_MS, startDiscussion, startMailFixture } from './mail-fixture.ts';
import { startScriptedServer } from './smtp-server.ts';
import { engine } from './test-database.ts';

const states = async (fixture: Pick<MailFixture, 'rows'>) => (await fixture.rows()).map(({ state }) => state);

/** Writes a comment and queues mails about it. */
async function says(fixture: Awaited<ReturnType<typeof startDiscussion>>, raw: string, kind?: string): Promise<string> {
  const id = await fixture.comment(fixture.ada, fixture.thread.num, raw);
  await fixture.tell([fixture.bob], fixture.thread.id, id, kind);
  return id;
}

describe('a burst of comments', () => {
  test('is one mail, sent after the quiet period, with all comments since the first', async () => {
    await using fixture = await startDiscussion();
    const first = await says(fixture, 'Look at **this**.');
    fixture.clock.advance(QUIET_MS - SECOND);
    await says(fixture, 'And at <b>that</b>, "please".');
    await fixture.drain();
    expect(fixture.server.received()).toEqual([]);
    fixture.clock.advance(SECOND);
    await fixture.drain();
    const [mail, ...others] = fixture.server.received();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({
      subject: '[ada/letters] A typo (#1)',
      from: { name: 'Moonbase', address: 'hub@mail.example.com' },
      envelope: { to: ['bob@example.com'] },
    });
    expect(mail?.text?.split('\n')).toEqual([
      'ada wrote:',
      '',
      'Look at **this**.',
      '',
      'ada wrote:',
      '',
      'And at <b>that</b>, "please".',
      '',
      '-- ',
      `You get this because you take part in this discussion or were mentioned in it. Read and answer it: ${HUB}/ada/letters/discussions/1#${first}`,
      expect.stringMatching(/^No more mails of this kind: https:\/\/hub\.example\.com\/unsubscribe\/\S+$/),
      '',
    ]);
    expect(mail?.html).toContain('<p>Look at <strong>this</strong>.</p>');
    expect(mail?.html).toContain('&lt;b&gt;that&lt;/b&gt;');
    expect(await states(fixture)).toEqual(['sent']);
  });

  test('and the next burst are two mails in one thread', async () => {
    await using fixture = await startDiscussion();
    await says(fixture, 'The first.');
    const [first] = await fixture.mails();
    await says(fixture, 'The second.');
    const [second] = await fixture.mails();
    expect(second?.text).toContain('The second.');
    expect(second?.text).not.toContain('The first.');
    expect(second?.subject).toBe(first?.subject);
    const thread = `<thread.${fixture.thread.id}@mail.example.com>`;
    for (const mail of [first, second]) {
      expect(mail?.inReplyTo).toBe(thread);
      expect(mail?.references).toBe(thread);
      expect(mail?.header('list-id')).toBe('ada/letters <letters.ada.hub.example.com>');
      expect(mail?.header('auto-submitted')).toBe('auto-generated');
      expect(mail?.header('x-auto-response-suppress')).toBe('All');
      expect(mail?.header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
      expect(mail?.header('list-unsubscribe')).toMatch(/^<https:\/\/hub\.example\.com\/unsubscribe\/[\w.-]+>$/);
    }
    expect(new Set([first?.messageId, second?.messageId, thread]).size).toBe(3);
  });

  test('is one mail per discussion and per reader', async () => {
    await using fixture = await startDiscussion();
    const carol = await fixture.person('carol');
    const other = await fixture.discuss(fixture.ada, 'Another', 'About something else.');
    await fixture.tell([fixture.bob, carol], fixture.thread.id, fixture.thread.first);
    await fixture.tell([fixture.bob], other.id, other.first);
    const mails = await fixture.mails();
    expect(mails.map(({ subject, to }) => `${subject} ${to?.[0]?.address}`).sort()).toEqual([
      '[ada/letters] A typo (#1) bob@example.com',
      '[ada/letters] A typo (#1) carol@example.com',
      '[ada/letters] Another (#2) bob@example.com',
    ]);
  });

  test('contains a comment that was recorded first and queued second', async () => {
    await using fixture = await startDiscussion();
    const early = await fixture.comment(fixture.ada, 1, 'Early.');
    const late = await fixture.comment(fixture.ada, 1, 'Late.');
    await fixture.tell([fixture.bob], fixture.thread.id, null);
    await fixture.tell([fixture.bob], fixture.thread.id, late);
    await fixture.tell([fixture.bob, fixture.bob], fixture.thread.id, early);
    const [mail, ...others] = await fixture.mails();
    expect(others).toEqual([]);
    expect(mail?.text).toMatch(/Early\.[\s\S]*Late\./);
  });

  test('without comments sends no mail', async () => {
    await using fixture = await startDiscussion();
    await fixture.tell([fixture.bob], fixture.thread.id, null);
    expect(await fixture.mails()).toEqual([]);
    expect(await fixture.rows()).toEqual([]);
  });
});

describe('a mail reflects the state when it is sent', () => {
  test('with edited texts and the new title, without hidden comments and those of the reader', async () => {
    await using fixture = await startDiscussion();
    const edited = await says(fixture, 'wrong');
    const hidden = await says(fixture, 'embarrassing');
    await fixture.comment(fixture.bob, 1, 'what bob said');
    await fixture.discussions.editComment(fixture.ada, fixture.REPO, 1, edited, 'right');
    await fixture.discussions.hideComment(fixture.ada, fixture.REPO, 1, hidden);
    await fixture.discussions.rename(fixture.ada, fixture.REPO, 1, 'Another title');
    const [mail] = await fixture.mails();
    expect(mail?.subject).toBe('[ada/letters] Another title (#1)');
    expect(mail?.text).toContain('right');
    for (const text of ['wrong', 'embarrassing', 'what bob said']) expect(mail?.source).not.toContain(text);
  });

  test('without a name if an account was deleted', async () => {
    await using fixture = await startDiscussion();
    const carol = await fixture.person('carol');
    const id = await fixture.comment(carol, 1, 'Farewell.');
    await fixture.tell([fixture.bob], fixture.thread.id, id);
    await fixture.database.transaction((tx) =>
      tx.deleteFrom('accounts').where('id', '=', carol.principal.userId).execute(),
    );
    const [mail] = await fixture.mails();
    expect(mail?.text).toMatch(/^A deleted user wrote:\n\nFarewell\./);
  });

  test('a title with line breaks is one line of one header', async () => {
    await using fixture = await startDiscussion();
    const nasty = await fixture.discuss(fixture.ada, 'Nice\r\nBcc: eve@example.com\r\n\r\n<script>', 'x');
    await fixture.tell([fixture.bob], nasty.id, nasty.first);
    const [mail] = await fixture.mails();
    expect(mail?.subject).toBe('[ada/letters] Nice Bcc: eve@example.com <script> (#2)');
    expect(mail?.source).not.toMatch(/^Bcc:/im);
    expect(mail?.envelope.to).toEqual(['bob@example.com']);
  });

  test('Markdown cannot become a script', async () => {
    await using fixture = await startDiscussion();
    await says(fixture, '<script>alert(1)</script> [x](javascript:alert(1))');
    const [mail] = await fixture.mails();
    expect(mail?.html).not.toContain('<script');
    expect(mail?.html).not.toContain('href="javascript');
  });

  test('a long thread is truncated', async () => {
    await using fixture = await startDiscussion();
    for (let at = 1; at <= 120; at++) await says(fixture, `Comment number ${at}.`);
    const [mail, ...others] = await fixture.mails();
    expect(others).toEqual([]);
    expect(mail?.text).toContain('Comment number 100.');
    expect(mail?.text).not.toContain('Comment number 101.');
    expect(mail?.text).toContain('There are more comments than fit into a mail.');
  });

  test('a mail with exactly a hundred comments promises no further ones', async () => {
    await using fixture = await startDiscussion();
    for (let at = 1; at <= 100; at++) await says(fixture, `Comment number ${at}.`);
    const [mail] = await fixture.mails();
    expect(mail?.text).toContain('Comment number 100.');
    expect(mail?.text).not.toContain('There is more');
  });

  test('hidden comments do not count towards the limit', async () => {
    await using fixture = await startDiscussion();
    const hidden: string[] = [];
    for (let at = 1; at <= 120; at++) hidden.push(await says(fixture, `Spam ${at}.`));
    await says(fixture, 'This is about the typo.');
    for (const id of hidden) await fixture.discussions.hideComment(fixture.ada, fixture.REPO, 1, id);
    const [mail] = await fixture.mails();
    expect(mail?.text).toMatch(/^ada wrote:\n\nThis is about the typo\./);
    expect(mail?.text).not.toContain('There is more');
  });

  test('a long title is shortened so that the number fits', async () => {
    await using fixture = await startDiscussion();
    const long = await fixture.discuss(fixture.ada, 'x'.repeat(200), 'About something.');
    await fixture.tell([fixture.bob], long.id, long.first);
    const [mail] = await fixture.mails();
    expect(mail?.subject).toMatch(/^\[ada\/letters\] x{100,}… \(#2\)$/);
    expect(mail?.subject?.length).toBeLessThanOrEqual(200);
  });

  test('a burst for a watcher who is mentioned names the mention as its reason', async () => {
    await using fixture = await startDiscussion();
    await says(fixture, 'About nothing.', 'discussions_watched');
    await says(fixture, 'What does @bob think?', 'discussions_participating');
    await says(fixture, 'And nothing again.', 'discussions_watched');
    await mute(fixture, 'repo');
    const [mail] = await fixture.mails();
    expect(mail?.text).toContain('What does @bob think?');
    expect(mail?.text).toContain('you take part in this discussion or were mentioned in it');
    expect(mail?.header('list-unsubscribe')).toContain('.discussions_participating.');
  });

  test('a long comment is truncated', async () => {
    await using fixture = await startDiscussion();
    await says(fixture, `${'x'.repeat(10_000)}the end`);
    const [mail] = await fixture.mails();
    expect(mail?.text).toMatch(/x\n\n…\n/);
    expect(mail?.source).not.toContain('the end');
  });

  type Fixture = Awaited<ReturnType<typeof startDiscussion>>;
  const settings = (fixture: Fixture, notifications: Record<string, boolean>) =>
    createSettings({ ...fixture, audit: createAuditRecorder() }).updateNotifications(fixture.bob, { notifications });
  const mute = async (fixture: Fixture, type: 'repo' | 'discussion') => {
    const { repo_id: repoId } = await fixture.database.read
      .selectFrom('discussions')
      .select('repo_id')
      .executeTakeFirstOrThrow();
    await fixture.database.transaction((tx) =>
      tx
        .insertInto('mutes')
        .values({
          user_id: fixture.bob.principal.userId,
          target_type: type,
          target_id: type === 'repo' ? repoId : fixture.thread.id,
          created_at: 0,
        })
        .execute(),
    );
  };
  const { discussions_participating: PARTICIPATING, discussions_watched: WATCHED } = {
    discussions_participating: 'discussions_participating',
    discussions_watched: 'discussions_watched',
  };
  test.each<[string, string, 0 | 1, (fixture: Fixture) => Promise<unknown>]>([
    ['nothing', PARTICIPATING, 1, async () => {}],
    ['the reader muted the discussion', PARTICIPATING, 0, (fixture) => mute(fixture, 'discussion')],
    ['the reader muted the discussion, and watches', WATCHED, 0, (fixture) => mute(fixture, 'discussion')],
    ['the reader muted the repository, and takes part', PARTICIPATING, 1, (fixture) => mute(fixture, 'repo')],
    ['the reader muted the repository, and watches', WATCHED, 0, (fixture) => mute(fixture, 'repo')],
    ['the kind was turned off', PARTICIPATING, 0, (fixture) => settings(fixture, { [PARTICIPATING]: false })],
    ['another kind was turned off', PARTICIPATING, 1, (fixture) => settings(fixture, { [WATCHED]: false })],
    [
      'the repository was made private',
      PARTICIPATING,
      0,
      (fixture) => fixture.repositories.updateSettings(fixture.ada, fixture.REPO, { private: true }),
    ],
    [
      'its discussions were turned off',
      PARTICIPATING,
      0,
      (fixture) => fixture.repositories.updateSettings(fixture.ada, fixture.REPO, { discussionsDisabled: true }),
    ],
    [
      'the repository was deleted',
      PARTICIPATING,
      0,
      (fixture) => fixture.repositories.delete(fixture.ada, fixture.REPO),
    ],
    [
      'the discussion was deleted',
      PARTICIPATING,
      0,
      (fixture) => fixture.discussions.delete(fixture.ada, fixture.REPO, 1),
    ],
    [
      'the reader no longer has an address',
      PARTICIPATING,
      0,
      (fixture) =>
        fixture.database.transaction((tx) =>
          tx.updateTable('accounts').set({ email: null }).where('id', '=', fixture.bob.principal.userId).execute(),
        ),
    ],
    [
      'the reader was deleted',
      PARTICIPATING,
      0,
      (fixture) =>
        fixture.database.transaction((tx) =>
          tx.deleteFrom('accounts').where('id', '=', fixture.bob.principal.userId).execute(),
        ),
    ],
  ])('when meanwhile %s (%s), it is sent %i times', async (_, kind, times, happens) => {
    await using fixture = await startDiscussion();
    await says(fixture, 'Something.', kind);
    await happens(fixture);
    expect(await fixture.mails()).toHaveLength(times);
    expect(await states(fixture)).toEqual(Array(times).fill('sent'));
  });

  test('private discussions are mailed to users who may read them, as long as they may', async () => {
    await using fixture = await startMailFixture();
    const [ada, bob] = [await fixture.person('ada'), await fixture.person('bob')];
    await fixture.repositories.create(ada, fixture.REPO, { private: true });
    const thread = await fixture.discuss(ada, 'A secret', 'Hush.');
    const membership = {
      org_id: ada.principal.userId,
      user_id: bob.principal.userId,
      role: 'read',
      base_role: 'read' as const,
    };
    await fixture.database.transaction((tx) =>
      setMemberships(tx, [{ ...membership, created_at: 0, search_key: '', in_scim: 0 }]),
    );
    await fixture.tell([bob], thread.id, thread.first);
    expect(await fixture.mails()).toMatchObject([{ subject: '[ada/letters] A secret (#1)' }]);
    const more = await fixture.comment(ada, 1, 'More.');
    await fixture.tell([bob], thread.id, more);
    await fixture.database.transaction((tx) => deleteMembership(tx, membership.org_id, membership.user_id));
    expect(await fixture.mails()).toEqual([]);
  });
});

test('comments on papers, posts and articles are mailed as well', async () => {
  await using fixture = await startMailFixture();
  const [ada, bob] = [await fixture.person('ada'), await fixture.person('bob')];
  const [paper, post, article, blog] = [fixture.ids(), fixture.ids(), fixture.ids(), fixture.ids()];
  await fixture.database.transaction((tx) =>
    tx
      .insertInto('papers')
      .values({ id: paper, arxiv_id: '2401.01234', title: 'On Letters', summary: '', created_at: 0 })
      .execute(),
  );
  const written = { author_id: ada.principal.userId, created_at: 0 };
  await fixture.database.transaction((tx) =>
    tx
      .insertInto('posts')
      .values([
        { ...written, id: post, kind: 'post', slug: '123', title: 'A post', canonical: 0 },
        { ...written, id: article, kind: 'article', slug: 'an-article', title: 'An article', canonical: 0 },
        { ...written, id: blog, kind: 'article', slug: 'the-blog', title: 'The blog', canonical: 1 },
      ])
      .execute(),
  );
  for (const [at, thread] of [paper, post, article, blog].entries()) {
    const id = fixture.ids();
    const data = { raw: `Comment ${at}`, hidden: false, updatedAt: 0, editors: [], edits: 0 };
    await fixture.database.transaction((tx) =>
      tx
        .insertInto('comments')
        .values({
          id,
          thread_type: at === 0 ? 'paper' : at === 1 ? 'post' : 'community_blog',
          thread_id: thread,
          reply_to: null,
          author_id: ada.principal.userId,
          created_at: 0,
          data: JSON.stringify(data),
        })
        .execute(),
    );
    await fixture.tell([bob], thread, id, 'posts_participating');
  }
  const mails = await fixture.mails();
  const shown = mails.map(({ subject, text = '' }) => `${subject} ${/it: (\S+)#/.exec(text)?.[1]}`);
  expect(shown.sort()).toEqual([
    `[ada] A post ${HUB}/posts/ada/123`,
    `[ada] An article ${HUB}/blog/ada/an-article`,
    `[ada] The blog ${HUB}/blog/the-blog`,
    `[papers] On Letters (2401.01234) ${HUB}/papers/2401.01234`,
  ]);
});

describe('a mail that a server', () => {
  test('does not accept at first is retried for a day, and is logged twice', async () => {
    await using fixture = await startDiscussion();
    fixture.server.answer({ status: 451, text: 'later' });
    await says(fixture, 'Patience.');
    expect(await fixture.mails()).toEqual([]);
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 10; attempt++) {
      const [row] = await fixture.rows();
      expect(row).toMatchObject({ state: 'waiting', attempts: attempt, error: expect.stringContaining('451') });
      waits.push((row!.due_at - fixture.clock.now()) / SECOND);
      fixture.clock.advance(row!.due_at - fixture.clock.now());
      await fixture.drain();
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300]);
    fixture.clock.advance(DAY);
    await fixture.drain();
    expect(await fixture.rows()).toMatchObject([{ state: 'failed', error: expect.stringContaining('451') }]);
    expect(fixture.logged.map(({ text }) => text)).toEqual([
      'mails are not sent; they are tried again',
      'a mail was not sent',
    ]);
    expect(JSON.stringify(fixture.logged)).not.toContain('bob@example.com');
  });

  test('finally accepts contains what was written in the meantime', async () => {
    await using fixture = await startDiscussion();
    fixture.server.answer({ status: 451, text: 'later' });
    await says(fixture, 'The first.');
    expect(await fixture.mails()).toEqual([]);
    await says(fixture, 'The second.');
    fixture.server.answer(undefined);
    const [mail, ...others] = await fixture.mails();
    expect(mail?.text).toMatch(/The first\.[\s\S]*The second\./);
    expect(others).toEqual([]);
    expect(await states(fixture)).toEqual(['sent']);
  });

  test('refuses permanently has failed', async () => {
    await using fixture = await startDiscussion();
    fixture.server.answer({ status: 550, text: 'no such user' });
    await says(fixture, 'Hello?');
    expect(await fixture.mails()).toEqual([]);
    expect(await fixture.rows()).toMatchObject([
      { state: 'failed', attempts: 1, error: expect.stringContaining('550') },
    ]);
    fixture.server.answer(undefined);
    fixture.clock.advance(HOUR);
    expect(await fixture.mails()).toEqual([]);
  });

  test.each(['drop', 'hang'] as const)('does not respond to (%s) is not sent again', async (behaviour) => {
    await using server = await startScriptedServer({ message: behaviour });
    await using fixture = await startDiscussion({ smtpUrl: server.url, deadlineMs: 2_000 });
    await says(fixture, 'Once.');
    await fixture.mails();
    expect(await fixture.rows()).toMatchObject([
      { state: 'failed', error: expect.stringContaining('may have arrived') },
    ]);
    server.behave('message', '250 taken');
    fixture.clock.advance(DAY);
    await fixture.drain();
    expect(server.messages()).toBe(1);
  });

  test('takes long to accept holds up neither other mails nor the queue', async () => {
    await using fixture = await startDiscussion();
    const readers = await Promise.all(['c1', 'c2', 'c3', 'c4', 'c5', 'c6'].map((name) => fixture.person(name)));
    const release = fixture.server.hold();
    await fixture.tell(readers, fixture.thread.id, fixture.thread.first);
    fixture.clock.advance(QUIET_MS);
    expect(await fixture.worker.round()).toEqual({ done: 5 });
    expect(await fixture.worker.round()).toEqual({ done: 0 });
    await expect.poll(() => fixture.server.held()).toBe(5);
    expect((await states(fixture)).sort()).toEqual([...Array<string>(5).fill('sending'), 'waiting']);
    release();
    await fixture.worker.settled();
    await fixture.drain();
    expect(fixture.server.received()).toHaveLength(6);
  });
});

describe('nothing is mailed twice', () => {
  test('a comment that is written while a mail is being sent is in one of two mails', async () => {
    await using fixture = await startDiscussion();
    const release = fixture.server.hold();
    await says(fixture, 'The first.');
    // The comment is recorded before the mail is claimed, and queued after that.
    const second = await fixture.comment(fixture.ada, 1, 'The second.');
    fixture.clock.advance(QUIET_MS);
    await fixture.worker.round();
    await fixture.tell([fixture.bob], fixture.thread.id, second);
    await says(fixture, 'The third.');
    release();
    await fixture.worker.settled();
    const mails = [...fixture.server.received(), ...(await fixture.mails())];
    expect(mails).toHaveLength(2);
    for (const text of ['The first.', 'The second.', 'The third.'])
      expect(mails.filter((mail) => mail.text?.includes(text))).toHaveLength(1);
  });

  test('a comment that a reaction queues again is not mailed again', async () => {
    await using fixture = await startDiscussion();
    const id = await says(fixture, 'Once.');
    expect(await fixture.mails()).toHaveLength(1);
    await fixture.tell([fixture.bob], fixture.thread.id, id);
    expect(await fixture.mails()).toEqual([]);
    expect(await states(fixture)).toEqual(['sent']);
  });

  test('a refused mail is merged with one that is waiting by then', async () => {
    await using fixture = await startDiscussion();
    const release = fixture.server.hold();
    await says(fixture, 'The first.');
    fixture.clock.advance(QUIET_MS);
    await fixture.worker.round();
    await expect.poll(() => fixture.server.held()).toBe(1);
    await says(fixture, 'The second.');
    fixture.server.answer({ status: 451, text: 'later' });
    release();
    await fixture.worker.settled();
    expect(await fixture.rows()).toMatchObject([{ state: 'waiting', attempts: 0 }]);
    fixture.server.answer(undefined);
    const [mail, ...others] = await fixture.mails();
    expect(mail?.text).toMatch(/The first\.[\s\S]*The second\./);
    expect(others).toEqual([]);
  });

  test('a mail that was being sent when the hub was killed fails after a while and is not sent again', async () => {
    await using fixture = await startDiscussion();
    const release = fixture.server.hold();
    await says(fixture, 'Once.');
    fixture.clock.advance(QUIET_MS);
    await fixture.worker.round();
    await expect.poll(() => fixture.server.held()).toBe(1);
    // Another process starts, since the first one shows no sign of life.
    const next = fixture.startWorker();
    await fixture.drain(next);
    expect(await states(fixture)).toEqual(['sending']);
    fixture.clock.advance(2 * MINUTE);
    await fixture.drain(next);
    expect(await fixture.rows()).toMatchObject([
      { state: 'failed', error: expect.stringContaining('may have arrived') },
    ]);
    // The first process was alive after all, and its mail arrived, which the record must say.
    release();
    await fixture.worker.settled();
    expect(fixture.server.received()).toHaveLength(1);
    expect(await states(fixture)).toEqual(['sent']);
    await next.finish();
  });

  test('at a start without other processes such a mail fails at once', async () => {
    await using fixture = await startDiscussion();
    const release = fixture.server.hold();
    await says(fixture, 'Once.');
    fixture.clock.advance(QUIET_MS);
    await fixture.worker.round();
    const next = fixture.startWorker();
    await next.takeBack();
    expect(await states(fixture)).toEqual(['failed']);
    release();
    await fixture.worker.settled();
    await next.finish();
  });

  test.runIf(engine === 'postgres')('two processes share the mails', async () => {
    await using fixture = await startDiscussion();
    const readers = await Promise.all(Array.from({ length: 12 }, (_, at) => fixture.person(`reader-${at}`)));
    await fixture.tell(readers, fixture.thread.id, fixture.thread.first);
    fixture.clock.advance(QUIET_MS);
    const other = fixture.startWorker(fixture.server.url, fixture.opened.again());
    await Promise.all([fixture.drain(), fixture.drain(other)]);
    const receivers = fixture.server.received().map(({ envelope }) => envelope.to[0]);
    expect(receivers).toHaveLength(12);
    expect(new Set(receivers).size).toBe(12);
    await other.finish();
  });

  test('when the hub stops, mails that it has not begun to send wait for the next start', async () => {
    await using server = await startScriptedServer({ MAIL: 'hang' });
    await using fixture = await startDiscussion();
    const worker = fixture.startWorker(server.url);
    await says(fixture, 'Once.');
    fixture.clock.advance(QUIET_MS);
    await worker.round();
    await expect.poll(() => server.lines.some((line) => line.startsWith('MAIL'))).toBe(true);
    worker.stop();
    await worker.finish();
    expect(await states(fixture)).toEqual(['waiting']);
    expect(await fixture.mails()).toHaveLength(1);
  });
});
