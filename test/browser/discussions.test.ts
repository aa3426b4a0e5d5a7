import { changeDiscussionStatus, listDiscussions } from '@moonbase/client/discussions';
import { updateRepoSettings } from '@moonbase/client/repositories';
import { describe, expect, test } from 'vitest';
import { expectAccessible } from './accessible.ts';
import { noBrowser } from './chromium.ts';
import { stage } from './stage.ts';
import { PHONE } from './visitor.ts';
import { startFilledWorld, tokenOf } from './world.ts';

const BERT = { type: 'model', repo: 'acme/bert' } as const;

describe.skipIf(noBrowser)('the discussions of a repository in the browser', () => {
  const on = stage(startFilledWorld);

  test('are listed, filtered and searched; the address of the page keeps the filters', async () => {
    await changeDiscussionStatus({ ...on.world.as('alice'), ...BERT, num: 1, status: 'closed' });
    await using visitor = await on.visit({ token: tokenOf('carol') });
    const { page, complaints } = visitor;
    await page.goto('/acme/bert');
    await page
      .getByRole('navigation', { name: 'Parts of the repository' })
      .getByRole('link', { name: 'Discussions' })
      .click();
    const list = page.getByRole('list', { name: 'Discussions' });
    const titles = () => list.locator('a[href*="/discussions/"]').allInnerTexts();
    const open = ['Wrong label in the test split', 'Fine-tuning on a single GPU', 'Add evaluation results'];
    await expect.poll(titles).toEqual(open);
    await expectAccessible(page);
    await page.getByRole('combobox', { name: 'Status' }).click();
    await page.getByRole('option', { name: 'Closed', exact: true }).click();
    await expect.poll(titles).toEqual(['The tokenizer splits numbers apart']);
    await page.getByRole('combobox', { name: 'Status' }).click();
    await page.getByRole('option', { name: 'Open and closed' }).click();
    await page.getByRole('combobox', { name: 'Kind' }).click();
    await page.getByRole('option', { name: 'Pull requests' }).click();
    await expect.poll(titles).toEqual(['Wrong label in the test split', 'Add evaluation results']);
    await page.getByRole('textbox', { name: 'Search discussions' }).fill('LABEL');
    await expect.poll(titles).toEqual(['Wrong label in the test split']);
    await page.waitForURL('**/acme/bert/discussions?status=all&kind=pull_request&search=LABEL');
    await page.reload();
    await expect.poll(titles).toEqual(['Wrong label in the test split']);
    await page.setViewportSize(PHONE);
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width);
    expect(complaints).toEqual([]);
  });

  test('a reader opens a discussion, and finds it in the list again', async () => {
    await using visitor = await on.visit({ token: tokenOf('carol') });
    const { page, complaints } = visitor;
    await page.goto('/acme/bert/discussions');
    await page.getByRole('link', { name: 'New discussion' }).click();
    await page.getByRole('textbox', { name: 'Title' }).fill('How many layers?');
    await page.getByRole('textbox', { name: 'Text' }).fill('**Twelve**, says @alice.');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Open discussion' }).click();
    await page.getByRole('heading', { name: 'How many layers?' }).waitFor();
    await page.getByRole('article').locator('strong').getByText('Twelve').waitFor();
    await page.getByRole('navigation', { name: 'Above' }).getByRole('link', { name: 'Discussions' }).click();
    await page.getByRole('list', { name: 'Discussions' }).getByRole('link', { name: 'How many layers?' }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('a pull request begins as a draft', async () => {
    await using visitor = await on.visit({ token: tokenOf('carol') });
    const { page } = visitor;
    await page.goto('/acme/bert/discussions/new');
    await page.getByRole('textbox', { name: 'Title' }).fill('Half the layers');
    await page.getByRole('checkbox', { name: 'Open a pull request' }).check();
    await page.getByRole('button', { name: 'Open pull request' }).click();
    await page.getByText('draft', { exact: true }).waitFor();
    const { discussions } = await listDiscussions({ ...on.world.as('carol'), ...BERT, search: 'half the' });
    expect(discussions).toMatchObject([{ title: 'Half the layers', isPullRequest: true, status: 'draft' }]);
  });

  test('names and faces lead to accounts: of comments, and of events between them', async () => {
    await changeDiscussionStatus({ ...on.world.as('alice'), ...BERT, num: 3, status: 'closed' });
    await using visitor = await on.visit({ token: tokenOf('carol') });
    const { page, complaints } = visitor;
    await page.goto('/acme/bert/discussions/3');
    const event = page.getByText('changed the status to closed');
    await event.getByRole('link', { name: 'alice' }).locator('img').waitFor();
    expect(await page.getByRole('article').first().getByRole('link', { name: 'bob' }).getAttribute('href')).toBe(
      '/bob',
    );
    await event.getByRole('link', { name: 'alice' }).click();
    await page.getByRole('heading', { level: 1, name: 'Alice Moreau' }).waitFor();
    await page.goto('/acme/bert/discussions?status=all');
    await page.getByRole('link', { name: 'bob' }).first().waitFor();
    expect(complaints).toEqual([]);
  });

  test('that are disabled say so', async () => {
    const settings = { ...on.world.as('alice'), ...({ type: 'model', repo: 'alice/tiny' } as const) };
    await updateRepoSettings({ ...settings, settings: { discussionsDisabled: true } });
    await using visitor = await on.visit({ token: tokenOf('alice') });
    await visitor.page.goto('/alice/tiny/discussions');
    await visitor.page.getByText('Discussions are disabled for this repository').waitFor();
  });

  test('a text is completed: names of users after @, numbers of discussions after #', async () => {
    await using visitor = await on.visit({ token: tokenOf('alice') });
    const { page, complaints } = visitor;
    await page.goto('/acme/bert/discussions/new');
    await page.getByRole('textbox', { name: 'Title' }).fill('Who knows');
    const text = page.getByRole('textbox', { name: 'Text' });
    await text.click();
    await page.keyboard.type('Thanks, @bo');
    await page.getByRole('option', { name: '@bob Bob Lindgren' }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    expect(await text.inputValue()).toBe('Thanks, @bob ');
    await page.keyboard.type('as in #token');
    await page.getByRole('option', { name: '#1 The tokenizer' }).click();
    await page.keyboard.type('and #');
    await page.getByRole('option').nth(2).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Escape');
    await page.getByRole('listbox').waitFor({ state: 'detached' });
    await page.keyboard.type('2');
    expect(await text.inputValue()).toBe('Thanks, @bob as in #1 and #2');
    // A name that is written in full leaves Enter its meaning.
    await page.keyboard.type(' @carol');
    await page.getByRole('option').waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    expect(await text.inputValue()).toBe('Thanks, @bob as in #1 and #2 @carol\n');
    await text.fill('');
    await page.getByRole('textbox', { name: 'Title' }).fill('');
    expect(complaints).toEqual([]);
  });

  test('a text is previewed as readers will see it, and nothing in it runs', async () => {
    await using visitor = await on.visit({ token: tokenOf('alice') });
    const { page, complaints } = visitor;
    await page.goto('/acme/bert/discussions/new');
    const text = page.getByRole('textbox', { name: 'Text' });
    await text.fill('**Bold** [x](javascript:alert(1)) <img src=x onerror="document.title=1">\n\n- one');
    const preview = page.getByRole('button', { name: 'Preview' });
    await preview.press('Enter');
    const shown = page.getByRole('region', { name: 'Preview of Text' });
    await shown.locator('strong').getByText('Bold').waitFor();
    expect(await shown.getByRole('listitem').textContent()).toBe('one');
    expect(await shown.locator('a, img').count()).toBe(0);
    await expectAccessible(page);
    await preview.press('Enter');
    expect(await text.inputValue()).toContain('**Bold**');
    expect(complaints).toEqual([]);
  });
});
