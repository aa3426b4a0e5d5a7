import { readFile } from 'node:fs/promises';
import { listMemberTokens } from '@moonbase/client/member-tokens';
import { listMembers } from '@moonbase/client/members';
import { describe, expect, test } from 'vitest';
import { noBrowser } from './chromium.ts';
import { stage } from './stage.ts';
import { agree } from './visitor.ts';
import { startFilledWorld, tokenOf, until } from './world.ts';

describe.skipIf(noBrowser)('organizations', () => {
  const on = stage(startFilledWorld);
  const asAlice = () => on.visit({ token: tokenOf('alice') });
  const members = async () => {
    const roles: Record<string, string | undefined> = {};
    for await (const { user, role } of listMembers({ ...on.world.as('alice'), name: 'acme' })) roles[user] = role;
    return roles;
  };

  test('have members who are searched, get another role, and are removed', async () => {
    await using visitor = await asAlice();
    const { page, complaints } = visitor;
    await page.goto('/organizations');
    await page.getByRole('link', { name: 'Acme Labs' }).click();
    await page.getByRole('table', { name: 'Members' }).getByText('Bob Lindgren').waitFor();
    await page.getByRole('combobox', { name: 'Role of bob' }).click();
    await page.getByRole('option', { name: 'contributor' }).click();
    await until(members, ({ bob }) => bob === 'contributor');
    await page.getByRole('textbox', { name: 'Search members' }).fill('adeyemi');
    await page.getByText('Bob Lindgren').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Remove carol' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Nobody like that').waitFor();
    expect(await members()).toEqual({ alice: 'admin', bob: 'contributor' });
    expect(complaints).toEqual([]);
  });

  test('keep their only admin, and say so', async () => {
    await using visitor = await asAlice();
    const { page } = visitor;
    await page.goto('/organizations/acme');
    await page.getByRole('combobox', { name: 'Role of alice' }).click();
    await page.getByRole('option', { name: 'read', exact: true }).click();
    await page.getByRole('alert').filter({ hasText: /admin/ }).waitFor();
    expect((await members()).alice).toBe('admin');
  });

  test('revoke tokens of members after a confirmation', async () => {
    await using visitor = await asAlice();
    const { page } = visitor;
    await page.goto('/organizations/acme/tokens');
    const row = page.getByRole('table', { name: 'Tokens' }).getByRole('row').filter({ hasText: 'bob' });
    await row.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await row.getByText('revoked').waitFor();
    const states = [];
    for await (const { user, status } of listMemberTokens({ ...on.world.as('alice'), name: 'acme' }))
      states.push(`${user} ${status}`);
    expect(states).toContain('bob revoked');
  });

  test('have an audit log that is searched and exported', async () => {
    await using visitor = await asAlice();
    const { page } = visitor;
    await page.goto('/organizations/acme/audit-log');
    await page.getByRole('list', { name: 'Events' }).getByRole('listitem').first().waitFor();
    await page.getByRole('combobox', { name: 'Filter' }).fill('type:repo.cr');
    await page.getByRole('option', { name: 'type:repo.create' }).click();
    await page.getByRole('combobox', { name: 'Filter' }).press('Enter');
    await page.waitForURL(/q=type/);
    const events = page.getByRole('list', { name: 'Events' }).getByRole('listitem');
    await until(
      () => events.count(),
      (count) => count === 2,
    );
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ]);
    const exported = JSON.parse(await readFile(await file.path(), 'utf8')) as { type: string }[];
    expect(exported.map(({ type }) => type)).toEqual(['repo.create', 'repo.create']);
    await page.goto('/organizations/acme/audit-log?q=colour:red');
    await page.getByRole('alert').waitFor();
  });

  test('have resource groups and roles of their own, and explain their effects', async () => {
    await using visitor = await asAlice();
    const { page, complaints } = visitor;
    await page.goto('/organizations/acme/resource-groups');
    await page.getByRole('textbox', { name: 'New resource group' }).fill('secret models');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'secret models' }).waitFor();
    const group = page.getByRole('region', { name: 'Users' });
    await group.getByRole('textbox', { name: 'Add a member' }).fill('nobody');
    await group.getByRole('button', { name: 'Add', exact: true }).click();
    await group.getByRole('alert').waitFor();
    await group.getByRole('textbox', { name: 'Add a member' }).fill('bob');
    await group.getByRole('button', { name: 'Add', exact: true }).click();
    await group.getByRole('button', { name: 'Remove bob' }).waitFor();

    await page.getByRole('link', { name: 'Resource groups' }).click();
    await page.getByRole('link', { name: 'secret models' }).waitFor();
    await page.getByRole('link', { name: 'Roles' }).click();
    await page.getByRole('textbox', { name: 'New role' }).fill('admin');
    await page.keyboard.press('Enter');
    await page
      .getByRole('alert')
      .filter({ hasText: /reserved|built-in/ })
      .waitFor();
    await page.getByRole('textbox', { name: 'New role' }).fill('reviewer');
    await page.keyboard.press('Enter');
    await page.getByRole('list', { name: 'Roles' }).getByText('reviewer').waitFor();
    await page.getByRole('button', { name: 'Delete reviewer' }).click();
    await agree(page, 'Delete the role reviewer?', 'Delete');
    await page.getByText('No roles of its own').waitFor();

    await page.goto('/organizations/acme/access');
    await page.getByRole('textbox', { name: 'Who' }).fill('bob');
    await page.keyboard.press('Enter');
    await page.getByRole('list', { name: 'Grants' }).getByText('by organization').waitFor();
    await page.goto('/organizations/acme/scim');
    await page.getByText(`${on.world.url}/api/organizations/acme/scim/v2`).waitFor();
    await page.getByText('No mappings').waitFor();
    expect(complaints).toEqual([]);
  });

  test('say what only admins may see', async () => {
    await using visitor = await on.visit({ token: tokenOf('bob') });
    await visitor.page.goto('/organizations/acme/audit-log');
    await visitor.page.getByText('No permission').waitFor();
    await visitor.page.goto('/organizations/nothing');
    await visitor.page.getByText('Not found').waitFor();
  });
});
