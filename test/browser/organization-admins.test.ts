import { createCollection } from '@moonbase/client/collections';
import { listMembers } from '@moonbase/client/members';
import { whoAmI } from '@moonbase/client/profiles';
import { createResourceGroup, listResourceGroups } from '@moonbase/client/resource-groups';
import { createProvisionedGroup } from '@moonbase/client/scim-provisioning';
import { getSingleSignOn } from '@moonbase/client/single-sign-on';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { startForgingProvider } from '../../packages/server/test/forging-provider.ts';
import { expectAccessible } from './accessible.ts';
import { noBrowser } from './chromium.ts';
import { givePassword, signIn } from './people.ts';
import { stage } from './stage.ts';
import { agree } from './visitor.ts';
import { person, startWorld, tokenOf, until } from './world.ts';

/** alice is admin of acme, with bob as a member; dave and erin are in no organization. */
describe.skipIf(noBrowser)('admins of an organization', () => {
  const on = stage(startWorld);
  beforeAll(async () => {
    await on.world.apply({
      users: [
        person('alice'),
        person('bob'),
        person('dave', 'Dave Okafor'),
        { ...person('erin', 'Erin Sato'), email: 'erin@example.com' },
      ],
      organizations: [
        {
          name: 'acme',
          plan: 'plus',
          members: [
            { user: 'alice', role: 'admin' },
            { user: 'bob', role: 'write' },
          ],
        },
      ],
      repos: [{ name: 'acme/bert' }, { type: 'dataset', name: 'acme/letters', private: true }],
    });
  });
  const come = (user: string) => on.visit({ token: tokenOf(user) });
  const roles = async () => {
    const found: Record<string, string | undefined> = {};
    for await (const { user, role } of listMembers({ ...on.world.as('alice'), name: 'acme' })) found[user] = role;
    return found;
  };
  const pick = async (page: Page, field: string, option: string) => {
    await page.getByRole('combobox', { name: field, exact: true }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };

  test('add members and invite users, who join and leave', async () => {
    await using visitor = await come('alice');
    const { page, complaints } = visitor;
    await page.goto('/organizations/acme');
    const who = page.getByRole('textbox', { name: 'User name or e-mail address' });
    const form = page.getByRole('region', { name: 'New member' });
    await who.fill('nobody');
    await page.keyboard.press('Enter');
    await form.getByRole('alert').filter({ hasText: 'nobody' }).waitFor();
    await who.fill('dave');
    await pick(page, 'Role', 'contributor');
    await form.getByRole('button', { name: 'Add' }).click();
    await page.getByRole('table', { name: 'Members' }).getByText('Dave Okafor').waitFor();
    expect((await roles()).dave).toBe('contributor');
    await who.fill('dave');
    await form.getByRole('button', { name: 'Invite' }).click();
    await form.getByRole('alert').filter({ hasText: 'already a member' }).waitFor();

    await who.fill('frank@example.com');
    await page.keyboard.press('Enter');
    const invitations = page.getByRole('list', { name: 'Invitations' });
    await invitations.getByText('frank@example.com').waitFor();
    await expect.poll(() => form.getByRole('button', { name: 'Add' }).isDisabled()).toBe(true);
    await who.fill('erin');
    await form.getByRole('button', { name: 'Invite' }).click();
    await invitations.getByText('erin').waitFor();
    await page.getByRole('button', { name: 'Withdraw the invitation of frank@example.com' }).click();
    await agree(page, 'Withdraw the invitation of frank@example.com?', 'Withdraw');
    await invitations.getByText('frank@example.com').waitFor({ state: 'detached' });
    await expectAccessible(page);

    await using other = await come('erin');
    await other.page.goto('/organizations');
    await other.page.getByText('You are not in any organization yet').waitFor();
    await other.page.getByRole('button', { name: 'Join acme' }).click();
    await other.page.getByRole('list', { name: 'Organizations' }).getByRole('link', { name: 'acme' }).click();
    await other.page.getByRole('table', { name: 'Members' }).getByText('Erin Sato').waitFor();
    await expect.poll(() => other.page.getByRole('region', { name: 'New member' }).count()).toBe(0);
    expect((await roles()).erin).toBe('contributor');
    await other.page.getByRole('button', { name: 'Leave' }).click();
    await other.page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
    await until(roles, ({ erin }) => erin === undefined);

    // The only admin cannot leave.
    await page.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('dialog').getByRole('alert').filter({ hasText: 'admin' }).waitFor();
    expect((await roles()).alice).toBe('admin');
    expect(complaints).toEqual([]);
  });

  test('invite by mail with a link, which lets one person join once', async () => {
    await using visitor = await come('alice');
    const { page, complaints } = visitor;
    await page.goto('/organizations/acme');
    await page.getByRole('textbox', { name: 'User name or e-mail address' }).fill('gina@example.com');
    await page.keyboard.press('Enter');
    const told = page.getByRole('status').filter({ hasText: 'Invited' });
    const link = await told.getByText(on.world.url).innerText();
    await expectAccessible(page);
    await page.reload();
    await page.getByRole('list', { name: 'Invitations' }).getByText('gina@example.com').waitFor();
    await expect.poll(() => page.locator('main').innerText()).not.toContain('#invitation=');

    // The invited person signs in first, and only the joining request contains the secret.
    await using other = await on.visit();
    const urls: string[] = [];
    other.page.on('request', (request) => urls.push(request.url()));
    await other.page.goto(link);
    await other.page.getByRole('button', { name: 'Use an access token instead' }).click();
    await other.page.getByRole('textbox', { name: 'Access token' }).fill(tokenOf('erin'));
    await other.page.keyboard.press('Enter');
    const invitation = other.page.getByRole('region', { name: 'Invitation by mail' });
    await invitation.getByRole('button', { name: 'Join' }).click();
    await other.page.getByRole('list', { name: 'Organizations' }).getByRole('link', { name: 'acme' }).waitFor();
    await expect.poll(() => invitation.count()).toBe(0);
    expect(other.page.url()).toBe(`${on.world.url}/organizations`);
    expect(urls.join()).not.toContain(link.split('.').at(-1));
    expect((await roles()).erin).toBe('read');

    await using third = await come('dave');
    await third.page.goto(link);
    await third.page.getByRole('button', { name: 'Join' }).click();
    await third.page.getByRole('region', { name: 'Invitation by mail' }).getByRole('alert').waitFor();
    await third.page.getByRole('button', { name: 'Not now' }).click();
    expect(third.page.url()).toBe(`${on.world.url}/organizations`);
    expect([...complaints, ...other.complaints, ...third.complaints]).toEqual([]);
  });

  test('decide who sees which repositories', async () => {
    await using visitor = await come('alice');
    const { page, complaints } = visitor;
    const groups = () => listResourceGroups({ ...on.world.as('alice'), organization: 'acme' });
    await page.goto('/organizations/acme/resource-groups');
    await page.getByRole('textbox', { name: 'New resource group' }).fill('research');
    await page.getByRole('textbox', { name: 'Description' }).fill('Letters and more');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { level: 1, name: 'research' }).waitFor();
    await page.getByText('Letters and more').waitFor();
    const group = page.getByRole('main');
    const { pathname } = new URL(page.url());
    await group.getByRole('textbox', { name: 'Add a repository' }).fill('nothing');
    await group.getByRole('button', { name: 'Add repository' }).click();
    await group.getByRole('alert').waitFor();
    await group.getByRole('textbox', { name: 'Add a repository' }).fill('letters');
    await group.getByRole('combobox', { name: 'Type' }).click();
    await page.getByRole('option', { name: 'dataset' }).click();
    await group.getByRole('button', { name: 'Add repository' }).click();
    await group.getByText('dataset: acme/letters').waitFor();
    await group.getByRole('textbox', { name: 'Add a member' }).fill('bob');
    await group.getByRole('button', { name: 'Add', exact: true }).click();
    await pick(page, 'Role of bob', 'admin');
    await until(groups, ([one]) => one?.users.some(({ name, role }) => name === 'bob' && role === 'admin') ?? false);
    await createCollection({ ...on.world.as('alice'), title: 'Shelf', namespace: 'acme' });
    await group.getByRole('textbox', { name: 'Add a collection' }).fill('shelf');
    await group.getByRole('button', { name: 'Add collection' }).click();
    await group.getByText('collection: Shelf').waitFor();
    await expectAccessible(page);
    expect((await groups())[0]?.repos.map(({ name }) => name)).toEqual(['acme/letters']);
    await group.getByRole('button', { name: 'Remove Shelf' }).click();
    await agree(page, 'Remove Shelf from', 'Remove');
    await group.getByText('No collections').waitFor();
    await page.goto('/collections/new?owner=acme');
    await page.getByRole('textbox', { name: 'Title' }).fill('Secret reading');
    await pick(page, 'Resource group', 'research');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create collection' }).click();
    await page.getByRole('heading', { name: 'Secret reading' }).waitFor();
    expect((await groups())[0]?.collections.map(({ title }) => title)).toEqual(['Secret reading']);
    await page.goto('/organizations/acme/resource-groups');
    const row = page.getByRole('row').filter({ hasText: 'research' });
    await row.getByText('Letters and more').waitFor();
    expect(await row.getByRole('cell').allTextContents()).toEqual([
      ...['researchLetters and more', '1', '1', '1', 'nobody'],
    ]);
    await page.getByRole('textbox', { name: 'Search resource groups' }).fill('painters');
    await page.getByText('Nothing matches').waitFor();
    await page.getByRole('textbox', { name: 'Search resource groups' }).fill('Rese');
    await row.getByRole('link', { name: 'research' }).click();
    await page.getByRole('heading', { level: 1, name: 'research' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(pathname);
    expect(await group.getByRole('link', { name: 'acme/letters' }).getAttribute('href')).toBe('/datasets/acme/letters');
    expect(await group.getByRole('link', { name: 'bob' }).getAttribute('href')).toBe('/bob');
    await group.getByRole('button', { name: 'Remove acme/letters' }).click();
    await agree(page, 'Remove acme/letters from', 'Remove');
    await group.getByText('No repositories').waitFor();
    await group.getByRole('button', { name: 'Remove bob' }).click();
    await agree(page, 'Remove bob from', 'Remove');
    await group.getByRole('button', { name: 'Remove bob' }).waitFor({ state: 'detached' });
    await group.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No resource groups').waitFor();
    await page.goto(pathname);
    await page.getByText('Not found').waitFor();
    expect(await groups()).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('create roles, assign them, and change their basis', async () => {
    await using visitor = await come('alice');
    const { page, complaints } = visitor;
    await page.goto('/organizations/acme/roles');
    await page.getByRole('textbox', { name: 'New role' }).fill('reviewer');
    await page.getByRole('textbox', { name: 'Description' }).fill('Looks at it');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('link', { name: 'Members' }).click();
    await pick(page, 'Role of bob', 'reviewer');
    await until(roles, ({ bob }) => bob === 'reviewer');

    await page.getByRole('link', { name: 'Roles' }).click();
    await page.getByText('Looks at it 1 member').waitFor();
    await page.getByRole('button', { name: 'Delete reviewer' }).click();
    await page
      .getByRole('dialog', { name: 'Delete the role reviewer?' })
      .getByRole('button', { name: 'Delete' })
      .click();
    await page
      .getByRole('alert')
      .filter({ hasText: /in use|member/ })
      .waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Edit reviewer' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('admin');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('editor');
    await dialog.getByRole('combobox', { name: 'Inherits from' }).click();
    await page.getByRole('option', { name: 'write' }).click();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('list', { name: 'Roles' }).getByText('editor').waitFor();
    await until(roles, ({ bob }) => bob === 'editor');
    expect(complaints).toEqual([]);
  });

  test('decide which tokens reach the organization', async () => {
    await using visitor = await come('alice');
    const { page, complaints } = visitor;
    await page.goto('/organizations/acme/tokens');
    await pick(page, 'Token policy', 'Fine-grained tokens only');
    await page.getByRole('alert').filter({ hasText: 'lock out' }).waitFor();
    await until(
      () => page.getByRole('combobox', { name: 'Token policy' }).inputValue(),
      (shown) => shown === 'All tokens of members',
    );
    await pick(page, 'Token policy', 'Tokens that an admin approved');
    const row = page.getByRole('table', { name: 'Tokens' }).getByRole('row').filter({ hasText: 'bob' });
    await row.getByText('pending').waitFor();
    await using other = await come('bob');
    await other.page.goto('/organizations');
    await other.page.getByText('not reached by this token').waitFor();
    await expectAccessible(page);
    await row.getByRole('button', { name: 'Approve' }).click();
    await row.getByText('approved').waitFor();
    await other.page.reload();
    await other.page.getByRole('link', { name: 'acme' }).waitFor();
    await expect.poll(() => other.page.getByText('not reached by this token').count()).toBe(0);
    await row.getByRole('button', { name: 'Deny' }).click();
    await row.getByText('denied').waitFor();
    await row.getByRole('button', { name: 'Approve' }).click();
    await row.getByText('approved').waitFor();
    await pick(page, 'Token policy', 'All tokens of members');
    expect(complaints).toEqual([]);
  });

  test('require that tokens expire, in a session that no token policy restricts', async () => {
    await givePassword(on.world, 'alice');
    await using visitor = await on.visit();
    const { page, complaints } = visitor;
    await page.goto('/organizations/acme/tokens');
    await signIn(page, 'alice');
    const restrictions = async () =>
      (await whoAmI(on.world.as('bob'))).orgs.find(({ name }) => name === 'acme')?.securityRestrictions;
    await pick(page, 'Lifetime of tokens', 'At most 30 days');
    await until(restrictions, (found) => found?.includes('token-policy') ?? false);
    await page.reload();
    const field = page.getByRole('combobox', { name: 'Lifetime of tokens', exact: true });
    await expect.poll(() => field.inputValue()).toBe('At most 30 days');
    await pick(page, 'Lifetime of tokens', 'Any');
    await until(restrictions, (found) => found === undefined);
    expect(complaints).toEqual([]);
  });

  test('link groups of an identity provider to roles', async () => {
    const acme = { ...on.world.as('alice'), name: 'acme' };
    await createProvisionedGroup({
      ...acme,
      group: { schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'], displayName: 'Scientists', members: [] },
    });
    await using visitor = await come('alice');
    const { page, complaints } = visitor;
    await page.goto('/organizations/acme/scim');
    await pick(page, 'Group', 'Scientists');
    await page.getByRole('button', { name: 'Link', exact: true }).click();
    const links = page.getByRole('list', { name: 'Links' });
    await links.getByText('Scientists in the organization').waitFor();
    await pick(page, 'Group', 'Scientists');
    await page.getByRole('button', { name: 'Link', exact: true }).click();
    await page
      .getByRole('alert')
      .filter({ hasText: /already|link/i })
      .waitFor();
    await pick(page, 'Role by Scientists', 'write');
    await expectAccessible(page);
    await page.reload();
    await until(
      () => page.getByRole('combobox', { name: 'Role by Scientists' }).inputValue(),
      (shown) => shown === 'write',
    );
    await page.getByRole('button', { name: 'Remove the mapping of Scientists' }).click();
    await agree(page, 'Remove the mapping of Scientists?', 'Remove');
    await page.getByText('No mappings').waitFor();
    expect(complaints).toEqual([]);
  });

  test('set, test, change and remove the OpenID provider, whose secret is not shown again', async () => {
    await using provider = await startForgingProvider({ now: Date.now });
    await using visitor = await come('alice');
    const { page, complaints } = visitor;
    await page.goto('/organizations/acme/single-sign-on');
    await page.getByText('No provider is set').waitFor();
    const form = page.getByRole('form', { name: 'OpenID provider' });
    const field = (name: string) => form.getByRole('textbox', { name, exact: true });
    await field('Issuer').fill(`${provider.issuer}/wrong`);
    await form.getByRole('button', { name: 'Test', exact: true }).click();
    await form.getByRole('alert').filter({ hasText: 'the status is 404' }).waitFor();
    await expectAccessible(page);
    await field('Issuer').fill(provider.issuer);
    await form.getByRole('button', { name: 'Test', exact: true }).click();
    await form.getByRole('status').filter({ hasText: 'responds as an OpenID provider' }).waitFor();
    const stored = () => getSingleSignOn({ ...on.world.as('alice'), organization: 'acme' });
    await expect(stored()).rejects.toMatchObject({ status: 404 });

    await field('Client id').fill('moonbase');
    await form.getByLabel('Client secret').fill('hush, hush');
    await field('Allowed domains').fill('acme.com\nacme.org');
    await form.getByRole('button', { name: 'Add a group' }).click();
    await field('Group 1').fill('engineers');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByRole('alert').filter({ hasText: 'must map at least one group to an admin role' }).waitFor();
    await pick(page, 'Role by group 1', 'admin');
    await form.getByRole('button', { name: 'Save' }).click();
    const addresses = page.getByRole('region', { name: 'Addresses' });
    await addresses.getByText('Where people sign in').waitFor();
    await addresses.getByText((await stored()).callbackUrl).waitFor();
    await expectAccessible(page);
    expect(await stored()).toMatchObject({
      ...{ issuer: provider.issuer, clientId: 'moonbase', hasSecret: true, scopes: 'openid profile email' },
      ...{ allowedDomains: ['acme.com', 'acme.org'], roleMapping: [{ group: 'engineers', role: 'admin' }] },
    });

    const group = await createResourceGroup({ ...on.world.as('alice'), organization: 'acme', name: 'Painters' });
    await page.reload();
    await expect.poll(() => field('Group 1').inputValue()).toBe('engineers');
    expect([await form.getByLabel('Client secret').inputValue(), await page.content()].join()).not.toContain('hush');
    await pick(page, 'Role without a mapped group', 'contributor');
    await form.getByRole('button', { name: 'Add a group' }).click();
    await field('Group 2').fill('painters');
    await pick(page, 'Where group 2 has its role', 'Painters');
    await pick(page, 'Role by group 2', 'write');
    await form.getByRole('button', { name: 'Save' }).click();
    await until(stored, ({ defaultRole }) => defaultRole === 'contributor');
    expect(await stored()).toMatchObject({
      hasSecret: true,
      resourceGroupMapping: [{ group: 'painters', role: 'write', resourceGroupId: group.id }],
    });
    await form.getByRole('checkbox', { name: 'Delete the stored secret' }).check();
    await form.getByRole('button', { name: 'Save' }).click();
    await until(stored, ({ hasSecret }) => !hasSecret);

    await page.getByRole('button', { name: 'Remove the provider' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('No provider is set').waitFor();
    await expect(stored()).rejects.toMatchObject({ status: 404 });
    expect(complaints).toEqual([]);

    for (const who of ['bob', 'dave']) {
      await using other = await come(who);
      await other.page.goto('/organizations/acme/single-sign-on');
      await other.page.getByText('No permission').waitFor();
      await expect.poll(() => other.page.getByRole('form').count()).toBe(0);
    }
  });
});
