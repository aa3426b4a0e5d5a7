import { getRepo, listBuckets } from '@moonbase/client/repositories';
import { describe, expect, test } from 'vitest';
import { expectAccessible } from './accessible.ts';
import { noBrowser } from './chromium.ts';
import { keyboard } from './hands.ts';
import { stage } from './stage.ts';
import { startFilledWorld, tokenOf, until } from './world.ts';

describe.skipIf(noBrowser)('creating in the browser', () => {
  const on = stage(startFilledWorld);

  test('a user creates a private dataset of an organization with a licence, and gets to its page', async () => {
    await using visitor = await on.visit({ token: tokenOf('alice') });
    const { page, complaints } = visitor;
    await page.goto('/repositories?owner=acme');
    await page.getByRole('link', { name: 'New repository' }).click();
    await page.getByRole('radio', { name: 'Dataset' }).check();
    await page.getByRole('textbox', { name: 'Name' }).fill('moons');
    await page.getByRole('radio', { name: 'Private' }).check();
    await page.getByRole('combobox', { name: 'Licence' }).fill('apache');
    await page.getByRole('option', { name: 'apache-2.0' }).click();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create repository' }).click();
    await page.getByRole('link', { name: 'README.md' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/datasets/acme/moons');
    const { private: isPrivate, ...info } = await until(
      () => getRepo({ ...on.world.as('alice'), type: 'dataset', repo: 'acme/moons' }),
      (known) => 'tags' in known && known.tags?.includes('license:apache-2.0') === true,
    );
    expect([isPrivate, info.author]).toEqual([true, 'acme']);
    expect(complaints).toEqual([]);
  });

  test('a taken name is refused, and the form keeps what was entered', async () => {
    await using visitor = await on.visit({ token: tokenOf('alice') });
    const { page } = visitor;
    await page.goto('/new');
    await page.getByRole('textbox', { name: 'Name' }).fill('tiny');
    await page.getByRole('button', { name: 'Create repository' }).click();
    await page.getByRole('alert').filter({ hasText: 'You already created this model repo' }).waitFor();
    await expect.poll(() => page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('tiny');
    await page.getByRole('textbox', { name: 'Name' }).fill('tiny-2');
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Create repository' }).click();
    await page.waitForURL('**/alice/tiny-2');
  });

  test('a bucket is created by keyboard alone, and opens; it is in the list of repositories', async () => {
    await using visitor = await on.visit({ token: tokenOf('alice') });
    const { page, complaints } = visitor;
    const hands = keyboard(page);
    await page.goto('/new');
    await hands.choose(page.getByRole('radio', { name: 'Bucket' }));
    await hands.type(page.getByRole('textbox', { name: 'Name' }), 'runs');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/buckets/alice/runs');
    await page.getByRole('heading', { name: 'No files' }).waitFor();
    await page.goto('/repositories');
    await page.getByRole('list', { name: 'Repositories' }).getByRole('link', { name: 'alice/runs' }).waitFor();
    const names: string[] = [];
    for await (const { id } of listBuckets({ ...on.world.as('alice'), namespace: 'alice' })) names.push(id);
    expect(names).toEqual(['alice/runs']);
    expect(complaints).toEqual([]);
  });

  test('a user creates an organization and is its admin', async () => {
    await using visitor = await on.visit({ token: tokenOf('bob') });
    const { page, complaints } = visitor;
    await page.goto('/organizations');
    await page.getByRole('link', { name: 'New organization' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('acme');
    await page.getByRole('button', { name: 'Create organization' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('moon-lab');
    await page.getByRole('textbox', { name: 'Full name' }).fill('Moon Lab');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create organization' }).click();
    await page.waitForURL('**/organizations/moon-lab');
    await page.getByRole('table', { name: 'Members' }).getByText('bob').first().waitFor();
    await page.goto('/organizations');
    await page
      .getByRole('listitem')
      .filter({ has: page.getByRole('link', { name: 'Moon Lab' }) })
      .getByText('admin')
      .waitFor();
    expect(complaints).toEqual([]);
  });
});
