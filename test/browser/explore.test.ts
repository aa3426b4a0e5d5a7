import { uploadFiles } from '@moonbase/client/files';
import { likeRepo } from '@moonbase/client/likes';
import { getRepo } from '@moonbase/client/repositories';
import { describe, expect, test } from 'vitest';
import { expectAccessible } from './accessible.ts';
import { noBrowser } from './chromium.ts';
import { stage } from './stage.ts';
import { PHONE } from './visitor.ts';
import { startFilledWorld, tokenOf, until } from './world.ts';

const TINY = { type: 'model', repo: 'alice/tiny' } as const;

describe.skipIf(noBrowser)('exploring in the browser', () => {
  const on = stage(startFilledWorld);

  test('a user finds a model by its licence and by its name; the address of the page keeps the filters', async () => {
    const alice = on.world.as('alice');
    const content = '---\nlicense: mit\nlibrary_name: transformers\npipeline_tag: fill-mask\n---\n# Tiny\n';
    await uploadFiles({ ...alice, ...TINY, files: [{ path: 'README.md', content }], summary: 'Card' });
    await until(
      () => getRepo({ ...alice, ...TINY }),
      (known) => 'tags' in known && known.tags?.includes('license:mit') === true,
    );
    await using visitor = await on.visit({ token: tokenOf('carol') });
    const { page, complaints } = visitor;
    await page.goto('/inbox');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Explore' }).click();
    const names = () => page.getByRole('list', { name: 'Models' }).getByRole('link').allInnerTexts();
    await expect.poll(async () => (await names()).sort()).toEqual(['acme/bert', 'alice/tiny']);
    await page.getByRole('combobox', { name: 'Licence' }).click();
    await page.getByRole('option', { name: 'mit', exact: true }).click();
    await expect.poll(names).toEqual(['alice/tiny']);
    await page.getByRole('list', { name: 'Models' }).getByText('fill-mask').waitFor();
    await expectAccessible(page);
    await page.reload();
    await expect.poll(names).toEqual(['alice/tiny']);
    // Choosing the same licence again chooses none.
    await page.getByRole('combobox', { name: 'Licence' }).click();
    await page.getByRole('option', { name: 'mit', exact: true }).click();
    await page.getByRole('textbox', { name: 'Search models' }).fill('BER');
    await expect.poll(names).toEqual(['acme/bert']);
    await page.waitForURL('**/models?search=BER');
    await page.getByRole('textbox', { name: 'Search models' }).fill('nothing like that');
    await page.getByText('Other filters may find more').waitFor();
    await page.setViewportSize(PHONE);
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width);
    expect(complaints).toEqual([]);
  });

  test('private repositories are listed for those who may read them alone', async () => {
    await on.world.apply({
      users: [{ name: 'dora', tokens: [{ name: 'laptop', role: 'write', token: tokenOf('dora') }] }],
    });
    for (const [user, text] of [
      ['carol', 'acme/letters'],
      ['dora', 'There are no datasets yet that you may see.'],
    ] as const) {
      await using visitor = await on.visit({ token: tokenOf(user) });
      await visitor.page.goto('/datasets');
      await visitor.page.getByText(text).waitFor();
    }
  });

  test('a user likes a repository and takes the like back', async () => {
    await likeRepo({ ...on.world.as('bob'), type: 'model', repo: 'acme/bert' });
    await using visitor = await on.visit({ token: tokenOf('carol') });
    const { page, complaints } = visitor;
    await page.goto('/acme/bert');
    await page.getByRole('button', { name: 'Like 1', exact: true }).click();
    await page.getByRole('button', { name: 'Liked 2', pressed: true }).waitFor();
    await page.goto('/models?sort=likes');
    const first = page.getByRole('list', { name: 'Models' }).getByRole('listitem').first();
    await first.filter({ hasText: 'acme/bert' }).getByText('2 likes').waitFor();
    await first.getByRole('link').click();
    await page.getByRole('button', { name: 'Liked 2' }).click();
    await page.getByRole('button', { name: 'Like 1', exact: true, pressed: false }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('the page of a repository says how programs get its files', async () => {
    await using visitor = await on.visit({ token: tokenOf('alice') });
    const { page, complaints } = visitor;
    await page.goto('/datasets/acme/letters');
    await page.getByRole('button', { name: 'Use this dataset' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('hf download acme/letters --repo-type dataset').waitFor();
    await dialog.getByText(`git clone ${on.world.url}/datasets/acme/letters`).waitFor();
    await expectAccessible(page);
    expect(complaints).toEqual([]);
  });
});
