import { createBranch, createTag, listRefs } from '@moonbase/client/repositories';
import { describe, expect, test } from 'vitest';
import { expectAccessible } from './accessible.ts';
import { noBrowser } from './chromium.ts';
import { keyboard } from './hands.ts';
import { stage } from './stage.ts';
import { startFilledWorld, tokenOf } from './world.ts';

const TINY = { type: 'model', repo: 'alice/tiny' } as const;

describe.skipIf(noBrowser)('branches and tags in the browser', () => {
  const on = stage(startFilledWorld);
  const refs = async () => {
    const { branches, tags } = await listRefs({ ...on.world.as('alice'), ...TINY });
    return [branches, tags].map((list) => list.map(({ name }) => name).toSorted());
  };

  test('are created and deleted by keyboard alone, with a confirmation that names what is deleted', async () => {
    await using visitor = await on.visit({ token: tokenOf('alice') });
    const { page, complaints } = visitor;
    const hands = keyboard(page);
    await page.goto('/alice/tiny');
    await hands.press(page.getByRole('link', { name: 'Branches and tags' }));
    await page.getByRole('table', { name: 'Branches' }).getByRole('link', { name: 'main' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/alice/tiny/branches');

    await hands.press(page.getByRole('button', { name: 'New branch' }));
    await hands.type(page.getByRole('textbox', { name: 'Name' }), 'try/this');
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await page.getByRole('table', { name: 'Branches' }).getByRole('link', { name: 'try/this' }).waitFor();

    await hands.press(page.getByRole('button', { name: 'New tag' }));
    await hands.type(page.getByRole('textbox', { name: 'Name' }), 'main');
    await hands.type(page.getByRole('combobox', { name: 'From' }), 'nothing');
    await hands.type(page.getByRole('textbox', { name: 'Message' }), 'The first one');
    await hands.press(page.getByRole('button', { name: 'Create tag' }));
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await hands.type(page.getByRole('textbox', { name: 'Name' }), 'v1');
    await hands.type(page.getByRole('combobox', { name: 'From' }), 'try/this');
    await hands.press(page.getByRole('button', { name: 'Create tag' }));
    await page.getByRole('table', { name: 'Tags' }).getByRole('link', { name: 'v1' }).waitFor();
    expect(await refs()).toEqual([['main', 'try/this'], ['v1']]);
    await expectAccessible(page);

    await hands.press(page.getByRole('button', { name: 'Delete the branch try/this' }));
    const dialog = page.getByRole('dialog', { name: 'Delete the branch try/this?' });
    await hands.press(dialog.getByRole('button', { name: 'Cancel' }));
    await dialog.waitFor({ state: 'detached' });
    expect((await refs())[0]).toEqual(['main', 'try/this']);
    await hands.press(page.getByRole('button', { name: 'Delete the branch try/this' }));
    await hands.press(dialog.getByRole('button', { name: 'Delete' }));
    await page.getByRole('link', { name: 'try/this' }).waitFor({ state: 'detached' });
    await hands.press(page.getByRole('button', { name: 'Delete the tag v1' }));
    await hands.press(page.getByRole('dialog').getByRole('button', { name: 'Delete' }));
    await page.getByText('There are no tags yet').waitFor();
    expect(await refs()).toEqual([['main'], []]);
    expect(complaints).toEqual([]);
  });

  test('lead to their files and commits; a user who may only read changes none', async () => {
    const bert = { ...on.world.as('alice'), type: 'model', repo: 'acme/bert' } as const;
    await createBranch({ ...bert, branch: 'slow' });
    await createTag({ ...bert, revision: 'slow', tag: 'v2' });
    await using visitor = await on.visit({ token: tokenOf('carol') });
    const { page, complaints } = visitor;
    await page.goto('/acme/bert/branches');
    await page.getByRole('link', { name: 'slow' }).click();
    await page.waitForURL('**/acme/bert/tree/slow');
    await page.getByRole('link', { name: 'Branches and tags' }).click();
    await page.getByRole('table', { name: 'Tags' }).getByRole('link', { name: 'v2' }).waitFor();
    expect(await page.getByRole('button', { name: /^(New|Delete)/ }).count()).toBe(0);
    await page.getByRole('row', { name: 'v2' }).getByRole('link').last().click();
    await page.waitForURL(/\/acme\/bert\/commit\/[0-9a-f]{40}$/);
    expect(complaints).toEqual([]);
  });
});
