import { commentDiscussion, createDiscussion, getDiscussion } from '@moonbase/client/discussions';
import { commentPost, getPost } from '@moonbase/client/posts';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectAccessible } from './accessible.ts';
import { noBrowser } from './chromium.ts';
import { stage } from './stage.ts';
import { agree } from './visitor.ts';
import { person, startWorld, tokenOf } from './world.ts';

const BERT = { type: 'model', repo: 'acme/bert' } as const;

/** alice is admin of acme; bob belongs to no organization. */
describe.skipIf(noBrowser)('threads', () => {
  const on = stage(startWorld);
  beforeAll(async () => {
    await on.world.apply({
      users: [person('alice'), person('bob')],
      organizations: [{ name: 'acme', members: [{ user: 'alice', role: 'admin' }] }],
      repos: [{ name: 'acme/bert' }],
      posts: [{ slug: 'moons', author: 'alice', title: 'On moons' }],
      papers: [{ id: '2401.01234', title: 'On tides', summary: 'Why.', authors: [{ name: 'Ada' }] }],
    });
  });

  test('are edited, hidden, renamed, closed and opened by their authors', async () => {
    const bob = { ...on.world.as('bob'), ...BERT };
    const { num } = await createDiscussion({ ...bob, title: 'Wich licence', description: 'Is it *free*?' });
    await commentDiscussion({ ...on.world.as('alice'), ...BERT, num, comment: 'It is.' });
    await using visitor = await on.visit({ token: tokenOf('bob') });
    const { page, complaints } = visitor;
    await page.goto(`/acme/bert/discussions/${num}`);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Change the title' }).click();
    await expectAccessible(page);
    await page.getByRole('textbox', { name: 'Title' }).fill('Which licence?');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Which licence?' }).waitFor();

    const first = page.getByRole('article').filter({ hasText: 'Is it free?' });
    await first.getByRole('button', { name: 'Edit' }).click();
    const text = page.getByRole('textbox', { name: 'Comment' });
    await expect.poll(() => text.inputValue()).toBe('Is it *free*?');
    await page.keyboard.press('Escape');
    await first.getByRole('button', { name: 'Edit' }).click();
    await text.fill('Is it **open**?');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('article').filter({ hasText: 'Is it open?' }).getByText('edited').waitFor();

    // Authors cannot change the comments of others.
    const answer = page.getByRole('article').filter({ hasText: 'It is.' });
    await expect.poll(() => answer.getByRole('button').count()).toBe(0);
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByText('bob changed the status to closed').waitFor();
    await page.getByRole('button', { name: 'Reopen' }).click();
    await page.getByText('bob changed the status to open').waitFor();
    await page.getByRole('article').getByRole('button', { name: 'Hide' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Hide' }).click();
    await page.getByText('This comment is hidden').waitFor();
    const { title, events } = await getDiscussion({ ...bob, num });
    expect(title).toBe('Which licence?');
    expect(events.find(({ type }) => type === 'comment')?.data).toMatchObject({ hidden: true });
    expect(complaints).toEqual([]);
  });

  test('empty the box of an answer once the hub has it, whatever becomes of reading the thread; a refused one stays', async () => {
    const bob = { ...on.world.as('bob'), ...BERT };
    const { num } = await createDiscussion({ ...bob, title: 'On boxes', description: 'Are they empty?' });
    await using visitor = await on.visit({ token: tokenOf('bob') });
    const { page, complaints } = visitor;
    await page.goto(`/acme/bert/discussions/${num}`);
    const box = page.getByRole('textbox', { name: 'Answer' });
    const commented = (url: URL) => url.pathname.endsWith(`/discussions/${num}/comment`);
    await box.fill('Not at first');
    await page.route(commented, (route) => route.fulfill({ status: 429, json: { error: 'Too many comments' } }));
    await page.keyboard.press('Control+Enter');
    await page.getByRole('alert').filter({ hasText: 'Too many comments' }).waitFor();
    expect(await box.inputValue()).toBe('Not at first');
    await page.unroute(commented);

    const read = (url: URL) => url.pathname.endsWith(`/discussions/${num}`);
    await page.route(read, (route) => (route.request().resourceType() === 'fetch' ? undefined : route.fallback()));
    await page.keyboard.press('Control+Enter');
    await page.getByRole('article').filter({ hasText: 'Not at first' }).waitFor();
    await expect.poll(() => box.inputValue()).toBe('');
    await box.fill('Nor later');
    await page.getByRole('button', { name: 'Close with comment' }).click();
    await expect.poll(() => box.inputValue()).toBe('');
    await page.unroute(read);
    const { status, events } = await getDiscussion({ ...bob, num });
    expect(status).toBe('closed');
    expect(events.flatMap((event) => (event.type === 'comment' ? event.data.latest.raw : []))).toEqual([
      'Are they empty?',
      'Not at first',
      'Nor later',
    ]);
    expect(complaints).toEqual([]);
  });

  test('open at a comment whose address is given, as in mails and payloads, and each comment has its own', async () => {
    const bob = { ...on.world.as('bob'), ...BERT };
    const { num } = await createDiscussion({ ...bob, title: 'A long one', description: 'Begin.' });
    for (let each = 0; each < 20; each++) await commentDiscussion({ ...bob, num, comment: `Part ${each}` });
    await using visitor = await on.visit({ token: tokenOf('alice') });
    const { page, complaints } = visitor;
    const inView = (text: string) =>
      page
        .getByRole('article')
        .filter({ hasText: text })
        .evaluate((element) => {
          const { top } = element.getBoundingClientRect();
          return top >= 56 && top < 200;
        });
    const { events } = await getDiscussion({ ...bob, num });
    await page.goto(`/acme/bert/discussions/${num}#${events[8]?.id}`);
    await expect.poll(() => inView('Part 7')).toBe(true);
    expect(await page.evaluate('document.activeElement?.id')).toBe(events[8]?.id);
    await page.getByRole('article').filter({ hasText: 'Part 12' }).getByTitle('Link to this comment').click();
    await page.waitForURL(`**#${events[13]?.id}`);
    await expect.poll(() => inView('Part 12')).toBe(true);
    expect(complaints).toEqual([]);
  });

  test('are pinned, merged and deleted by users who may write to the repository', async () => {
    const bob = { ...on.world.as('bob'), ...BERT };
    const { num } = await createDiscussion({ ...bob, title: 'A fix', description: 'Please.', pullRequest: true });
    await using visitor = await on.visit({ token: tokenOf('bob') });
    await visitor.page.goto(`/acme/bert/discussions/${num}`);
    await visitor.page.getByRole('button', { name: 'Publish' }).click();
    await visitor.page.getByText('bob changed the status to open').waitFor();
    await expect.poll(() => visitor.page.getByRole('button', { name: 'Merge' }).count()).toBe(0);

    await using other = await on.visit({ token: tokenOf('alice') });
    const { page, complaints } = other;
    await page.goto(`/acme/bert/discussions/${num}`);
    const more = async (item: string) => {
      await page.getByRole('button', { name: 'More' }).click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    await more('Pin');
    await page.getByText('alice pinned this').waitFor();
    await page.getByRole('textbox', { name: 'Answer' }).fill('Well done');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Merge with comment' }).click();
    await page.getByText('alice changed the status to merged').waitFor();
    await page.getByRole('article').filter({ hasText: 'Well done' }).waitFor();
    expect((await getDiscussion({ ...bob, num })).status).toBe('merged');
    await more('Delete the ref');
    await agree(page, 'Delete the ref of', 'Delete the ref');
    await page.getByText('alice deleted the ref').waitFor();
    await more('Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('list', { name: 'Discussions' }).waitFor();
    await expect(getDiscussion({ ...bob, num })).rejects.toThrow();
    expect(complaints).toEqual([]);
  });

  test('of posts and papers have replies, and show refusals of the hub', async () => {
    const post = { username: 'alice', postSlug: 'moons' };
    const { newMessage } = await commentPost({ ...on.world.as('bob'), ...post, comment: 'How many?' });
    await commentPost({ ...on.world.as('bob'), ...post, comment: 'And why?' });
    await using visitor = await on.visit({ token: tokenOf('alice') });
    const { page, complaints } = visitor;
    await page.goto('/posts/alice/moons');
    const asked = page.getByRole('article').filter({ hasText: 'How many?' });
    await asked.getByRole('button', { name: 'Reply' }).click();
    await page.getByRole('textbox', { name: 'Reply to bob' }).fill('Two');
    await expectAccessible(page);
    await page.keyboard.press('Control+Enter');
    await page.getByRole('article').filter({ hasText: 'Two' }).waitFor();
    // A reply stands below its comment, not at the end.
    await expect
      .poll(() => page.locator('article .comment').allTextContents())
      .toEqual(['How many?', 'Two', 'And why?'].map((text) => `${text}\n`));
    const { comments } = await getPost({ ...on.world.as('alice'), ...post });
    expect(comments.find(({ data }) => data.latest.raw === 'Two')?.data.parentCommentId).toBe(newMessage.id);

    await page.route('**/hide', (route) => route.fulfill({ status: 409, json: { error: 'It is hidden already' } }));
    await asked.getByRole('button', { name: 'Hide' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Hide' }).click();
    await page.getByRole('dialog').getByText('It is hidden already').waitFor();
    await page.unroute('**/hide');
    await page.getByRole('dialog').getByRole('button', { name: 'Hide' }).click();
    await page.getByText('This comment is hidden').waitFor();

    await page.goto('/papers/2401.01234');
    await page.getByRole('textbox', { name: 'Answer' }).fill('Because of moons');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('button', { name: 'Reply (comment of alice)' }).click();
    await page.getByRole('textbox', { name: 'Reply to alice' }).fill('And suns');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('article').filter({ hasText: 'And suns' }).getByRole('button', { name: 'Hide' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Hide' }).click();
    await page.getByText('This comment is hidden').waitFor();
    expect(complaints).toEqual([]);
  });
});
