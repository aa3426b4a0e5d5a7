import { describe, expect, test } from 'vitest';
import { removeMembership, setMembership } from '../src/access/store.ts';
import { createSettings } from '../src/settings/index.ts';
import { DAY, HOUR, MINUTE, SECOND } from './clock.ts';
import { HUB, type MailPlace, QUIET_MS, startDiscussion, startMailPlace } from './mail-place.ts';
import { startScriptedServer } from './smtp-server.ts';
import { engine } from './test-database.ts';

const states = async (place: Pick<MailPlace, 'rows'>) => (await place.rows()).map(({ state }) => state);

/** Writes and tells in one. */
async function says(place: Awaited<ReturnType<typeof startDiscussion>>, raw: string, kind?: string): Promise<string> {
  const id = await place.comment(place.ada, place.thread.num, raw);
  await place.tell([place.bob], place.thread.id, id, kind);
  return id;
}

describe('a burst of comments', () => {
  test('is one mail, sent after the quiet period, with all that was said since the first', async () => {
    await using place = await startDiscussion();
    const first = await says(place, 'Look at **this**.');
    place.clock.advance(QUIET_MS - SECOND);
    await says(place, 'And at <b>that</b>, "please".');
    await place.drain();
    expect(place.server.received()).toEqual([]);
    place.clock.advance(SECOND);
    await place.drain();
    const [mail, ...others] = place.server.received();
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
    expect(await states(place)).toEqual(['sent']);
  });

  test('and the next one are two mails of one thread', async () => {
    await using place = await startDiscussion();
    await says(place, 'The first.');
    const [first] = await place.mails();
    await says(place, 'The second.');
    const [second] = await place.mails();
    expect(second?.text).toContain('The second.');
    expect(second?.text).not.toContain('The first.');
    expect(second?.subject).toBe(first?.subject);
    const thread = `<thread.${place.thread.id}@mail.example.com>`;
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

  test('of one discussion is apart from another, and that of one reader from another', async () => {
    await using place = await startDiscussion();
    const carol = await place.person('carol');
    const other = await place.discuss(place.ada, 'Another', 'About something else.');
    await place.tell([place.bob, carol], place.thread.id, place.thread.first);
    await place.tell([place.bob], other.id, other.first);
    const mails = await place.mails();
    expect(mails.map(({ subject, to }) => `${subject} ${to?.[0]?.address}`).sort()).toEqual([
      '[ada/letters] A typo (#1) bob@example.com',
      '[ada/letters] A typo (#1) carol@example.com',
      '[ada/letters] Another (#2) bob@example.com',
    ]);
  });

  test('tells a comment that was recorded first and queued second', async () => {
    await using place = await startDiscussion();
    const early = await place.comment(place.ada, 1, 'Early.');
    const late = await place.comment(place.ada, 1, 'Late.');
    await place.tell([place.bob], place.thread.id, null);
    await place.tell([place.bob], place.thread.id, late);
    await place.tell([place.bob, place.bob], place.thread.id, early);
    const [mail, ...others] = await place.mails();
    expect(others).toEqual([]);
    expect(mail?.text).toMatch(/Early\.[\s\S]*Late\./);
  });

  test('without a comment is nothing to write about', async () => {
    await using place = await startDiscussion();
    await place.tell([place.bob], place.thread.id, null);
    expect(await place.mails()).toEqual([]);
    expect(await place.rows()).toEqual([]);
  });
});

describe('what a mail says is what is there when it goes', () => {
  test('edited text, the new title, nothing that was hidden and nothing of the reader', async () => {
    await using place = await startDiscussion();
    const edited = await says(place, 'wrong');
    const hidden = await says(place, 'embarrassing');
    await place.comment(place.bob, 1, 'what bob said');
    await place.discussions.editComment(place.ada, place.REPO, 1, edited, 'right');
    await place.discussions.hideComment(place.ada, place.REPO, 1, hidden);
    await place.discussions.rename(place.ada, place.REPO, 1, 'Another title');
    const [mail] = await place.mails();
    expect(mail?.subject).toBe('[ada/letters] Another title (#1)');
    expect(mail?.text).toContain('right');
    for (const text of ['wrong', 'embarrassing', 'what bob said']) expect(mail?.source).not.toContain(text);
  });

  test('names nobody where an account is gone', async () => {
    await using place = await startDiscussion();
    const carol = await place.person('carol');
    const id = await place.comment(carol, 1, 'Farewell.');
    await place.tell([place.bob], place.thread.id, id);
    await place.database.transaction((tx) =>
      tx.deleteFrom('accounts').where('id', '=', carol.principal.userId).execute(),
    );
    const [mail] = await place.mails();
    expect(mail?.text).toMatch(/^Somebody who is gone wrote:\n\nFarewell\./);
  });

  test('a title with line ends is one line of one header', async () => {
    await using place = await startDiscussion();
    const nasty = await place.discuss(place.ada, 'Nice\r\nBcc: eve@example.com\r\n\r\n<script>', 'x');
    await place.tell([place.bob], nasty.id, nasty.first);
    const [mail] = await place.mails();
    expect(mail?.subject).toBe('[ada/letters] Nice Bcc: eve@example.com <script> (#2)');
    expect(mail?.source).not.toMatch(/^Bcc:/im);
    expect(mail?.envelope.to).toEqual(['bob@example.com']);
  });

  test('Markdown that would be a script is none', async () => {
    await using place = await startDiscussion();
    await says(place, '<script>alert(1)</script> [x](javascript:alert(1))');
    const [mail] = await place.mails();
    expect(mail?.html).not.toContain('<script');
    expect(mail?.html).not.toContain('href="javascript');
  });

  test('long threads end somewhere', async () => {
    await using place = await startDiscussion();
    for (let at = 1; at <= 120; at++) await says(place, `Comment number ${at}.`);
    const [mail, ...others] = await place.mails();
    expect(others).toEqual([]);
    expect(mail?.text).toContain('Comment number 100.');
    expect(mail?.text).not.toContain('Comment number 101.');
    expect(mail?.text).toContain('There is more than fits into a mail.');
  });

  test('a hundred comments are all: there is no more to read', async () => {
    await using place = await startDiscussion();
    for (let at = 1; at <= 100; at++) await says(place, `Comment number ${at}.`);
    const [mail] = await place.mails();
    expect(mail?.text).toContain('Comment number 100.');
    expect(mail?.text).not.toContain('There is more');
  });

  test('what was hidden takes no place of what was not', async () => {
    await using place = await startDiscussion();
    const hidden: string[] = [];
    for (let at = 1; at <= 120; at++) hidden.push(await says(place, `Spam ${at}.`));
    await says(place, 'This is about the typo.');
    for (const id of hidden) await place.discussions.hideComment(place.ada, place.REPO, 1, id);
    const [mail] = await place.mails();
    expect(mail?.text).toMatch(/^ada wrote:\n\nThis is about the typo\./);
    expect(mail?.text).not.toContain('There is more');
  });

  test('a long title leaves room for the number', async () => {
    await using place = await startDiscussion();
    const long = await place.discuss(place.ada, 'x'.repeat(200), 'About something.');
    await place.tell([place.bob], long.id, long.first);
    const [mail] = await place.mails();
    expect(mail?.subject).toMatch(/^\[ada\/letters\] x{100,}… \(#2\)$/);
    expect(mail?.subject?.length).toBeLessThanOrEqual(200);
  });

  test('a mention that joins a burst of what is watched is told as one', async () => {
    await using place = await startDiscussion();
    await says(place, 'About nothing.', 'discussions_watched');
    await says(place, 'What does @bob think?', 'discussions_participating');
    await says(place, 'And nothing again.', 'discussions_watched');
    await mute(place, 'repo');
    const [mail] = await place.mails();
    expect(mail?.text).toContain('What does @bob think?');
    expect(mail?.text).toContain('you take part in this discussion or were mentioned in it');
    expect(mail?.header('list-unsubscribe')).toContain('.discussions_participating.');
  });

  test('long comments end somewhere', async () => {
    await using place = await startDiscussion();
    await says(place, `${'x'.repeat(10_000)}the end`);
    const [mail] = await place.mails();
    expect(mail?.text).toMatch(/x\n\n…\n/);
    expect(mail?.source).not.toContain('the end');
  });

  type Place = Awaited<ReturnType<typeof startDiscussion>>;
  const settings = (place: Place, notifications: Record<string, boolean>) =>
    createSettings(place).updateNotifications(place.bob, { notifications });
  const mute = async (place: Place, type: 'repo' | 'discussion') => {
    const { repo_id: repoId } = await place.database.read
      .selectFrom('discussions')
      .select('repo_id')
      .executeTakeFirstOrThrow();
    await place.database.transaction((tx) =>
      tx
        .insertInto('mutes')
        .values({
          user_id: place.bob.principal.userId,
          target_type: type,
          target_id: type === 'repo' ? repoId : place.thread.id,
          created_at: 0,
        })
        .execute(),
    );
  };
  const { discussions_participating: PARTICIPATING, discussions_watched: WATCHED } = {
    discussions_participating: 'discussions_participating',
    discussions_watched: 'discussions_watched',
  };
  test.each<[string, string, 0 | 1, (place: Place) => Promise<unknown>]>([
    ['nothing', PARTICIPATING, 1, async () => {}],
    ['the reader muted the discussion', PARTICIPATING, 0, (place) => mute(place, 'discussion')],
    ['the reader muted the discussion, and watches', WATCHED, 0, (place) => mute(place, 'discussion')],
    ['the reader muted the repository, and takes part', PARTICIPATING, 1, (place) => mute(place, 'repo')],
    ['the reader muted the repository, and watches', WATCHED, 0, (place) => mute(place, 'repo')],
    ['the kind was turned off', PARTICIPATING, 0, (place) => settings(place, { [PARTICIPATING]: false })],
    ['another kind was turned off', PARTICIPATING, 1, (place) => settings(place, { [WATCHED]: false })],
    [
      'the repository was made private',
      PARTICIPATING,
      0,
      (place) => place.repositories.updateSettings(place.ada, place.REPO, { private: true }),
    ],
    [
      'its discussions were turned off',
      PARTICIPATING,
      0,
      (place) => place.repositories.updateSettings(place.ada, place.REPO, { discussionsDisabled: true }),
    ],
    ['the repository was deleted', PARTICIPATING, 0, (place) => place.repositories.delete(place.ada, place.REPO)],
    ['the discussion was deleted', PARTICIPATING, 0, (place) => place.discussions.delete(place.ada, place.REPO, 1)],
    [
      'the reader has no address any more',
      PARTICIPATING,
      0,
      (place) =>
        place.database.transaction((tx) =>
          tx.updateTable('accounts').set({ email: null }).where('id', '=', place.bob.principal.userId).execute(),
        ),
    ],
    [
      'the reader is gone',
      PARTICIPATING,
      0,
      (place) =>
        place.database.transaction((tx) =>
          tx.deleteFrom('accounts').where('id', '=', place.bob.principal.userId).execute(),
        ),
    ],
  ])('when meanwhile %s (%s), it is sent %i times', async (_, kind, times, happens) => {
    await using place = await startDiscussion();
    await says(place, 'Something.', kind);
    await happens(place);
    expect(await place.mails()).toHaveLength(times);
    expect(await states(place)).toEqual(Array(times).fill('sent'));
  });

  test('what is private is told to those who may read it, for as long as they may', async () => {
    await using place = await startMailPlace();
    const [ada, bob] = [await place.person('ada'), await place.person('bob')];
    await place.repositories.create(ada, place.REPO, { private: true });
    const thread = await place.discuss(ada, 'A secret', 'Hush.');
    const membership = {
      org_id: ada.principal.userId,
      user_id: bob.principal.userId,
      role: 'read',
      base_role: 'read' as const,
    };
    await place.database.transaction((tx) => setMembership(tx, { ...membership, created_at: 0 }));
    await place.tell([bob], thread.id, thread.first);
    expect(await place.mails()).toMatchObject([{ subject: '[ada/letters] A secret (#1)' }]);
    const more = await place.comment(ada, 1, 'More.');
    await place.tell([bob], thread.id, more);
    await place.database.transaction((tx) => removeMembership(tx, membership.org_id, membership.user_id));
    expect(await place.mails()).toEqual([]);
  });
});

test('comments on papers, posts and articles are told as well', async () => {
  await using place = await startMailPlace();
  const [ada, bob] = [await place.person('ada'), await place.person('bob')];
  const [paper, post, article, blog] = [place.ids(), place.ids(), place.ids(), place.ids()];
  await place.database.transaction((tx) =>
    tx
      .insertInto('papers')
      .values({ id: paper, arxiv_id: '2401.01234', title: 'On Letters', summary: '', created_at: 0 })
      .execute(),
  );
  const written = { author_id: ada.principal.userId, created_at: 0 };
  await place.database.transaction((tx) =>
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
    const id = place.ids();
    const data = { raw: `Comment ${at}`, hidden: false, updatedAt: 0, editors: [], edits: 0 };
    await place.database.transaction((tx) =>
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
    await place.tell([bob], thread, id, 'posts_participating');
  }
  const mails = await place.mails();
  const shown = mails.map(({ subject, text = '' }) => `${subject} ${/it: (\S+)#/.exec(text)?.[1]}`);
  expect(shown.sort()).toEqual([
    `[ada] A post ${HUB}/posts/ada/123`,
    `[ada] An article ${HUB}/blog/ada/an-article`,
    `[ada] The blog ${HUB}/blog/the-blog`,
    `[papers] On Letters (2401.01234) ${HUB}/papers/2401.01234`,
  ]);
});

describe('a mail that a server', () => {
  test('does not take now goes later, for a day, and says so in the log twice', async () => {
    await using place = await startDiscussion();
    place.server.answer({ status: 451, text: 'later' });
    await says(place, 'Patience.');
    expect(await place.mails()).toEqual([]);
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 10; attempt++) {
      const [row] = await place.rows();
      expect(row).toMatchObject({ state: 'waiting', attempts: attempt, error: expect.stringContaining('451') });
      waits.push((row!.due_at - place.clock.now()) / SECOND);
      place.clock.advance(row!.due_at - place.clock.now());
      await place.drain();
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300]);
    place.clock.advance(DAY);
    await place.drain();
    expect(await place.rows()).toMatchObject([{ state: 'failed', error: expect.stringContaining('451') }]);
    expect(place.logged.map(({ text }) => text)).toEqual(['a mail was not sent', 'a mail was not sent']);
    expect(JSON.stringify(place.logged)).not.toContain('bob@example.com');
  });

  test('takes at last has what was said meanwhile', async () => {
    await using place = await startDiscussion();
    place.server.answer({ status: 451, text: 'later' });
    await says(place, 'The first.');
    expect(await place.mails()).toEqual([]);
    await says(place, 'The second.');
    place.server.answer(undefined);
    const [mail, ...others] = await place.mails();
    expect(mail?.text).toMatch(/The first\.[\s\S]*The second\./);
    expect(others).toEqual([]);
    expect(await states(place)).toEqual(['sent']);
  });

  test('refuses for good is given up', async () => {
    await using place = await startDiscussion();
    place.server.answer({ status: 550, text: 'no such user' });
    await says(place, 'Hello?');
    expect(await place.mails()).toEqual([]);
    expect(await place.rows()).toMatchObject([{ state: 'failed', attempts: 1, error: expect.stringContaining('550') }]);
    place.server.answer(undefined);
    place.clock.advance(HOUR);
    expect(await place.mails()).toEqual([]);
  });

  test.each(['drop', 'hang'] as const)('gives no answer to (%s) is not sent again', async (behaviour) => {
    await using server = await startScriptedServer({ message: behaviour });
    await using place = await startDiscussion({ smtpUrl: server.url, deadlineMs: 200 });
    await says(place, 'Once.');
    await place.mails();
    expect(await place.rows()).toMatchObject([{ state: 'failed', error: expect.stringContaining('may have arrived') }]);
    server.behave('message', '250 taken');
    place.clock.advance(DAY);
    await place.drain();
    expect(server.messages()).toBe(1);
  });

  test('is slow with does not hold others up, nor the queue', async () => {
    await using place = await startDiscussion();
    const readers = await Promise.all(['c1', 'c2', 'c3', 'c4', 'c5', 'c6'].map((name) => place.person(name)));
    const release = place.server.hold();
    await place.tell(readers, place.thread.id, place.thread.first);
    place.clock.advance(QUIET_MS);
    expect(await place.worker.round()).toEqual({ done: 5 });
    expect(await place.worker.round()).toEqual({ done: 0 });
    await expect.poll(() => place.server.held()).toBe(5);
    expect((await states(place)).sort()).toEqual([...Array<string>(5).fill('sending'), 'waiting']);
    release();
    await place.worker.settled();
    await place.drain();
    expect(place.server.received()).toHaveLength(6);
  });
});

describe('never twice', () => {
  test('a comment that comes while a mail is on its way is in one of two mails', async () => {
    await using place = await startDiscussion();
    const release = place.server.hold();
    await says(place, 'The first.');
    // Recorded before the mail is claimed, queued after that.
    const second = await place.comment(place.ada, 1, 'The second.');
    place.clock.advance(QUIET_MS);
    await place.worker.round();
    await place.tell([place.bob], place.thread.id, second);
    await says(place, 'The third.');
    release();
    await place.worker.settled();
    const mails = [...place.server.received(), ...(await place.mails())];
    expect(mails).toHaveLength(2);
    for (const text of ['The first.', 'The second.', 'The third.'])
      expect(mails.filter((mail) => mail.text?.includes(text))).toHaveLength(1);
  });

  test('what a reaction queues again is told already', async () => {
    await using place = await startDiscussion();
    const id = await says(place, 'Once.');
    expect(await place.mails()).toHaveLength(1);
    await place.tell([place.bob], place.thread.id, id);
    expect(await place.mails()).toEqual([]);
    expect(await states(place)).toEqual(['sent']);
  });

  test('a mail that was refused joins the one that waits by then', async () => {
    await using place = await startDiscussion();
    const release = place.server.hold();
    await says(place, 'The first.');
    place.clock.advance(QUIET_MS);
    await place.worker.round();
    await expect.poll(() => place.server.held()).toBe(1);
    await says(place, 'The second.');
    place.server.answer({ status: 451, text: 'later' });
    release();
    await place.worker.settled();
    expect(await place.rows()).toMatchObject([{ state: 'waiting', attempts: 0 }]);
    place.server.answer(undefined);
    const [mail, ...others] = await place.mails();
    expect(mail?.text).toMatch(/The first\.[\s\S]*The second\./);
    expect(others).toEqual([]);
  });

  test('a mail that was on its way when the hub was killed is failed after a while, and not sent again', async () => {
    await using place = await startDiscussion();
    const release = place.server.hold();
    await says(place, 'Once.');
    place.clock.advance(QUIET_MS);
    await place.worker.round();
    await expect.poll(() => place.server.held()).toBe(1);
    // Another process; the first one is not heard of any more.
    const next = place.startWorker();
    await place.drain(next);
    expect(await states(place)).toEqual(['sending']);
    place.clock.advance(2 * MINUTE);
    await place.drain(next);
    expect(await place.rows()).toMatchObject([{ state: 'failed', error: expect.stringContaining('may have arrived') }]);
    // It was alive after all: that its mail arrived is what is true.
    release();
    await place.worker.settled();
    expect(place.server.received()).toHaveLength(1);
    expect(await states(place)).toEqual(['sent']);
    await next.finish();
  });

  test('at a start that knows that nobody else works, that is at once', async () => {
    await using place = await startDiscussion();
    const release = place.server.hold();
    await says(place, 'Once.');
    place.clock.advance(QUIET_MS);
    await place.worker.round();
    const next = place.startWorker();
    await next.takeBack();
    expect(await states(place)).toEqual(['failed']);
    release();
    await place.worker.settled();
    await next.finish();
  });

  test.runIf(engine === 'postgres')('two processes share the mails', async () => {
    await using place = await startDiscussion();
    const readers = await Promise.all(Array.from({ length: 12 }, (_, at) => place.person(`reader-${at}`)));
    await place.tell(readers, place.thread.id, place.thread.first);
    place.clock.advance(QUIET_MS);
    const other = place.startWorker(place.server.url, place.opened.again());
    await Promise.all([place.drain(), place.drain(other)]);
    const receivers = place.server.received().map(({ envelope }) => envelope.to[0]);
    expect(receivers).toHaveLength(12);
    expect(new Set(receivers).size).toBe(12);
    await other.finish();
  });

  test('the end of the hub: what has not begun waits for the next one', async () => {
    await using server = await startScriptedServer({ MAIL: 'hang' });
    await using place = await startDiscussion();
    const worker = place.startWorker(server.url);
    await says(place, 'Once.');
    place.clock.advance(QUIET_MS);
    await worker.round();
    await expect.poll(() => server.lines.some((line) => line.startsWith('MAIL'))).toBe(true);
    worker.stop();
    await worker.finish();
    expect(await states(place)).toEqual(['waiting']);
    expect(await place.mails()).toHaveLength(1);
  });
});
