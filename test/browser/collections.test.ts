import { createCollection, deleteCollection, getCollection, listCollections } from '@moonbase/client/collections';
import { createResourceGroup, getCollectionResourceGroup } from '@moonbase/client/resource-groups';
import { describe, expect, test } from 'vitest';
import { expectAccessible } from './accessible.ts';
import { noBrowser } from './chromium.ts';
import { stage } from './stage.ts';
import { agree, PHONE } from './visitor.ts';
import { startFilledWorld, tokenOf } from './world.ts';

describe.skipIf(noBrowser)('collections in the browser', () => {
  const on = stage(startFilledWorld);

  test('a user creates one, fills and orders it; others upvote it; its owner renames and deletes it', async () => {
    const alice = on.world.as('alice');
    await using visitor = await on.visit({ token: tokenOf('alice') });
    const { page, complaints } = visitor;
    await page.goto('/models');
    await page.getByRole('navigation', { name: 'Explore' }).getByRole('link', { name: 'Collections' }).click();
    await page.getByRole('link', { name: 'New collection' }).click();
    await page.getByRole('combobox', { name: 'Owner' }).click();
    await page.getByRole('option', { name: 'acme' }).click();
    await page.getByRole('textbox', { name: 'Title' }).fill('Reading list');
    await page.getByRole('textbox', { name: 'Description' }).fill('Where to begin');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create collection' }).click();
    await page.getByRole('heading', { name: 'Reading list' }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/collections\/acme\/reading-list-[0-9a-f]{24}$/);

    const add = page.getByRole('region', { name: 'Add an item' });
    for (const [id, note] of [
      ['acme/bert', 'The first one'],
      ['alice/tiny', ''],
    ] as const) {
      await add.getByRole('textbox', { name: 'Add' }).fill(id);
      await add.getByRole('textbox', { name: 'Note' }).fill(note);
      await add.getByRole('button', { name: 'Add' }).click();
      await page.getByRole('list', { name: 'Items' }).getByRole('link', { name: id }).waitFor();
    }
    await page.getByText('The first one').waitFor();
    await page.getByRole('button', { name: 'Move alice/tiny up' }).click();
    const items = () => page.getByRole('list', { name: 'Items' }).getByRole('link').allInnerTexts();
    await expect.poll(items).toEqual(['alice/tiny', 'acme/bert']);
    await page.getByRole('button', { name: 'Note on alice/tiny' }).click();
    await page.getByRole('textbox', { name: 'Note on alice/tiny' }).fill('Small');
    await page.keyboard.press('Enter');
    await page.getByText('Small', { exact: true }).waitFor();
    await expectAccessible(page);
    await page.setViewportSize(PHONE);
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width);

    await using reader = await on.visit({ token: tokenOf('carol') });
    await reader.page.goto('/collections');
    await reader.page.getByRole('list', { name: 'Collections' }).getByRole('link', { name: 'Reading list' }).click();
    await reader.page.getByRole('button', { name: 'Upvote', exact: true }).click();
    await reader.page.getByRole('button', { name: 'Upvoted 1', pressed: true }).waitFor();
    await expect.poll(() => reader.page.getByRole('button', { name: 'Edit' }).count()).toBe(0);

    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Title' }).fill('Small models');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.waitForURL('**/collections/acme/small-models-*');
    await page.getByRole('button', { name: 'Remove acme/bert' }).click();
    await agree(page, 'Remove acme/bert from this collection?', 'Remove');
    await expect.poll(items).toEqual(['alice/tiny']);
    const [, namespace = '', slug = ''] = /\/collections\/([^/]+)\/([^/]+)$/.exec(page.url()) ?? [];
    const stored = await getCollection({ ...alice, namespace, slug });
    expect(stored).toMatchObject({ title: 'Small models', upvotes: 1, items: [{ note: { text: 'Small' } }] });

    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('A collection shows repositories and papers under a title').waitFor();
    const left: unknown[] = [];
    for await (const each of listCollections(alice)) left.push(each);
    expect([left, complaints, reader.complaints]).toEqual([[], [], []]);
  });

  test('its resource group is set where it is edited, and decides who edits it', async () => {
    const alice = on.world.as('alice');
    const { slug } = await createCollection({ ...alice, namespace: 'acme', title: 'Secret list', private: true });
    const users = [
      { user: 'bob', role: 'read' },
      { user: 'carol', role: 'write' },
    ];
    const group = await createResourceGroup({ ...alice, organization: 'acme', name: 'reviewers', users });
    await using writer = await on.visit({ token: tokenOf('carol') });
    await writer.page.goto(`/collections/${slug}`);
    await writer.page.getByText('This collection is empty').waitFor();
    expect(await writer.page.getByRole('button', { name: 'Edit' }).count()).toBe(0);
    await using visitor = await on.visit({ token: tokenOf('alice') });
    const { page, complaints } = visitor;
    await page.goto(`/collections/${slug}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit the collection' });
    await dialog.getByRole('combobox', { name: 'Resource group' }).click();
    await page.getByRole('option', { name: 'reviewers' }).click();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const [namespace = '', name = ''] = slug.split('/');
    expect((await getCollectionResourceGroup({ ...alice, namespace, slug: name })).id).toBe(group.id);

    // carol may write now, by her role in the group; bob still may, by his in the organization.
    await writer.page.reload();
    await writer.page.getByRole('button', { name: 'Edit' }).click();
    const edit = writer.page.getByRole('dialog', { name: 'Edit the collection' });
    await edit.getByRole('textbox', { name: 'Description' }).fill('By carol');
    await edit.getByRole('button', { name: 'Save' }).click();
    await edit.waitFor({ state: 'detached' });
    await writer.page.getByText('By carol').waitFor();
    await using other = await on.visit({ token: tokenOf('bob') });
    await other.page.goto(`/collections/${slug}`);
    await other.page.getByRole('button', { name: 'Edit' }).waitFor();

    await page.goto('/organizations/acme/resource-groups');
    await page.getByRole('link', { name: 'reviewers' }).click();
    const card = page.getByRole('main');
    await card.getByRole('textbox', { name: 'Add a repository' }).fill('bert');
    await page.keyboard.press('Enter');
    await card.getByRole('button', { name: 'Remove acme/bert' }).waitFor();
    await card.getByRole('button', { name: 'Remove Secret list' }).click();
    await expectAccessible(page);
    await agree(page, 'Remove Secret list from reviewers?', 'Remove');
    await card.getByText('No collections.').waitFor();
    await card.getByRole('button', { name: 'Remove acme/bert' }).click();
    await agree(page, 'Remove acme/bert from reviewers?', 'Remove');
    await card.getByText('No repositories.').waitFor();
    await deleteCollection({ ...alice, namespace, slug: name });
    expect([complaints, other.complaints, writer.complaints]).toEqual([[], [], []]);
  });
});
