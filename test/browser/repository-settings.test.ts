import { uploadFiles } from '@moonbase/client/files';
import { listAccessRequests } from '@moonbase/client/gating';
import { getRepo, updateRepoSettings } from '@moonbase/client/repositories';
import { describe, expect, test } from 'vitest';
import { expectAccessible } from './accessible.ts';
import { noBrowser } from './chromium.ts';
import { stage } from './stage.ts';
import { agree } from './visitor.ts';
import { startFilledWorld, tokenOf, until } from './world.ts';

const CARD = `---
extra_gated_heading: Terms of the moon
extra_gated_fields:
  Company: text
  Purpose:
    type: select
    options: [Research, Other]
  I agree: checkbox
---
# Gated moons
`;

describe.skipIf(noBrowser)('the settings of a repository in the browser', () => {
  const on = stage(startFilledWorld);

  test('make it private, end its discussions, rename it and delete it', async () => {
    const alice = on.world.as('alice');
    await using visitor = await on.visit({ token: tokenOf('alice') });
    const { page, complaints } = visitor;
    await page.goto('/alice/tiny');
    await page
      .getByRole('navigation', { name: 'Parts of the repository' })
      .getByRole('link', { name: 'Settings' })
      .click();
    await page.getByRole('button', { name: 'Make private' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Make private' }).click();
    await page.getByText('The repository is private').waitFor();
    await expectAccessible(page);
    expect(await getRepo({ ...alice, type: 'model', repo: 'alice/tiny' })).toMatchObject({ private: true });

    await page.getByRole('button', { name: 'Disable discussions' }).click();
    await page.getByRole('button', { name: 'Enable discussions' }).waitFor();

    await page.getByRole('textbox', { name: 'New owner and name' }).fill('alice/small');
    await page.getByRole('button', { name: 'Move' }).click();
    await page.getByRole('heading', { name: 'alice/small', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/alice/small/settings');

    const remove = page.getByRole('button', { name: 'Delete' });
    await page.getByRole('textbox', { name: 'Type alice/small to confirm' }).fill('alice/tiny');
    await expect.poll(() => remove.isDisabled()).toBe(true);
    await page.getByRole('textbox', { name: 'Type alice/small to confirm' }).fill('alice/small');
    await remove.click();
    await page.getByRole('heading', { name: 'Repositories', exact: true }).waitFor();
    await expect(getRepo({ ...alice, type: 'model', repo: 'alice/small' })).rejects.toMatchObject({ status: 404 });
    expect(complaints).toEqual([]);
  });

  test('are not offered to readers, whom the hub refuses', async () => {
    await using visitor = await on.visit({ token: tokenOf('carol') });
    const { page } = visitor;
    await page.goto('/acme/bert');
    const parts = page.getByRole('navigation', { name: 'Parts of the repository' });
    await parts.getByRole('link', { name: 'Discussions' }).waitFor();
    expect(await parts.getByRole('link', { name: 'Settings' }).count()).toBe(0);
    await page.goto('/acme/bert/settings');
    await page.getByRole('button', { name: 'Make private' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Make private' }).click();
    await page.getByRole('dialog').getByText('No permission').waitFor();
    expect(await getRepo({ ...on.world.as('alice'), type: 'model', repo: 'acme/bert' })).toMatchObject({
      private: false,
    });
  });

  test('gate the files: a user asks, waits, gets in, and is put out again', async () => {
    const alice = on.world.as('alice');
    const moons = { type: 'dataset', repo: 'alice/moons' } as const;
    await on.world.apply({ repos: [{ type: 'dataset', name: 'alice/moons' }] });
    await uploadFiles({
      ...{ ...alice, ...moons, summary: 'Card' },
      files: [
        { path: 'README.md', content: CARD },
        { path: 'phases.csv', content: 'new,full\n' },
      ],
    });
    await until(
      () => getRepo({ ...alice, ...moons }),
      (known) => 'cardData' in known && known.cardData !== undefined,
    );
    await using owner = await on.visit({ token: tokenOf('alice') });
    await owner.page.goto('/datasets/alice/moons/settings');
    await owner.page.getByRole('radio', { name: 'Gated, with approval' }).check();
    await owner.page.getByRole('textbox', { name: 'Email about requests to' }).fill('desk@example.com');
    await owner.page.getByRole('radio', { name: 'Once a day' }).check();
    await owner.page.getByRole('button', { name: 'Save' }).click();
    await until(
      () => getRepo({ ...alice, ...moons }),
      (known) => 'gated' in known && known.gated === 'manual',
    );
    await owner.page.reload();
    const email = owner.page.getByRole('textbox', { name: 'Email about requests to' });
    await expect.poll(() => email.inputValue()).toBe('desk@example.com');
    expect(await owner.page.getByRole('radio', { name: 'Once a day' }).isChecked()).toBe(true);
    expect(await owner.page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);

    await using reader = await on.visit({ token: tokenOf('carol') });
    const { page, complaints } = reader;
    await page.goto('/datasets/alice/moons');
    await page.getByRole('heading', { name: 'Terms of the moon' }).waitFor();
    await page.getByRole('region', { name: 'README' }).getByRole('heading', { name: 'Gated moons' }).waitFor();
    await page.getByRole('textbox', { name: 'Company' }).fill('Moon Ltd');
    await page.getByRole('combobox', { name: 'Purpose' }).click();
    await page.getByRole('option', { name: 'Research' }).click();
    await page.getByRole('checkbox', { name: 'I agree' }).check();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Ask for access' }).click();
    await page.getByRole('heading', { name: 'Your request is waiting' }).waitFor();
    await page.goto('/datasets/alice/moons/blob/main/phases.csv');
    await page.getByRole('heading', { name: 'Your request is waiting' }).waitFor();

    await owner.page.getByRole('link', { name: 'Access requests' }).click();
    const requests = owner.page.getByRole('list', { name: 'Access requests' }).getByRole('listitem');
    await requests.filter({ hasText: 'Carol Adeyemi (carol)' }).getByText('Company: Moon Ltd').waitFor();
    await expectAccessible(owner.page);
    await owner.page.getByRole('button', { name: 'Accept carol' }).click();
    await owner.page.getByText('Nobody is waiting for a decision').waitFor();
    await page.reload();
    await page.getByText('new,full').waitFor();

    await owner.page.getByText('Accepted', { exact: true }).click();
    await owner.page.getByRole('button', { name: 'Reject carol' }).click();
    await owner.page.getByRole('textbox', { name: 'Reason' }).fill('Moon Ltd is closed.');
    await owner.page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
    await owner.page.getByText('No requests').waitFor();
    await page.reload();
    await page.getByText('The authors rejected your request for access: Moon Ltd is closed.').waitFor();
    const rejected = await listAccessRequests({ ...alice, ...moons, status: 'rejected' });
    expect(rejected.map(({ user, rejectionReason }) => [user.user, rejectionReason])).toEqual([
      ['carol', 'Moon Ltd is closed.'],
    ]);

    await owner.page.getByRole('textbox', { name: 'Grant access to' }).fill('bob');
    await owner.page.getByRole('button', { name: 'Grant access' }).click();
    await requests.filter({ hasText: 'bob' }).getByText('granted by alice').waitFor();
    expect([...complaints, ...owner.complaints]).toEqual([]);
  });

  test('a withdrawn request can be made again', async () => {
    const bob = { ...on.world.as('bob'), type: 'model', repo: 'acme/open' } as const;
    await on.world.apply({ repos: [{ type: 'model', name: 'acme/open' }] });
    await updateRepoSettings({ ...bob, settings: { gated: 'manual', orgMembersGated: true } });
    await using visitor = await on.visit({ token: tokenOf('carol') });
    const { page } = visitor;
    await page.goto('/acme/open');
    await page.getByRole('button', { name: 'Ask for access' }).click();
    await page.getByRole('button', { name: 'Withdraw the request' }).click();
    await agree(page, 'Withdraw your request for acme/open?', 'Withdraw');
    await page.getByRole('button', { name: 'Ask for access' }).click();
    await page.getByRole('button', { name: 'Withdraw the request' }).waitFor();
  });
});
