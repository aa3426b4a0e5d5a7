import { createAccessToken, listAccessTokens } from '@moonbase/client/access-tokens';
import { createDiscussion } from '@moonbase/client/discussions';
import { whoAmI } from '@moonbase/client/profiles';
import { deleteBucket, getBucket, getRepo } from '@moonbase/client/repositories';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectAccessible } from './accessible.ts';
import { noBrowser } from './chromium.ts';
import { givePassword, readableBy, signIn } from './people.ts';
import { stage } from './stage.ts';
import { person, startWorld, tokenOf } from './world.ts';

describe.skipIf(noBrowser)('access tokens', () => {
  const on = stage(startWorld);
  beforeAll(async () => {
    await on.world.apply({
      users: [person('alice', 'Alice Moreau'), person('bob')],
      organizations: [{ name: 'acme', members: [{ user: 'alice', role: 'admin' }] }],
      repos: [
        { name: 'acme/bert' },
        { name: 'alice/tiny', private: true },
        { name: 'alice/ops', type: 'kernel', private: true },
        { name: 'alice/box', type: 'bucket', private: true },
      ],
    });
    await givePassword(on.world, 'alice');
  });
  const begin = async (page: Page) => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: on.world.url });
    await page.goto('/settings/tokens');
    await signIn(page, 'alice');
    await page.getByRole('link', { name: 'Create token' }).click();
  };
  const copied = async (page: Page) => {
    await page.getByRole('button', { name: 'Copy the token' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    return String(await page.evaluate('navigator.clipboard.readText()'));
  };

  test('are created in the browser, copied once, work, and are deleted (row 28)', async () => {
    await using visitor = await on.visit();
    const { page, complaints } = visitor;
    const urls: string[] = [];
    page.on('request', (request) => urls.push(request.url(), request.headers().referer ?? ''));
    await begin(page);
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('desktop');
    await page.getByRole('radio', { name: 'Read' }).check();
    await page.getByRole('button', { name: 'Create token' }).click();
    const token = await copied(page);
    expect(token).toMatch(/^hf_[0-9A-Za-z]{30,}$/);
    const hub = { hubUrl: on.world.url, accessToken: token };
    expect((await whoAmI(hub)).auth.accessToken).toMatchObject({ displayName: 'desktop', role: 'read' });

    await page.getByRole('link', { name: 'To the access tokens' }).click();
    const row = page.getByRole('table', { name: 'Access tokens' }).getByRole('row').filter({ hasText: 'desktop' });
    await row.getByText(`hf_…${token.slice(-4)}`).waitFor();
    // Last used, by this test.
    await row
      .getByRole('cell')
      .nth(3)
      .getByText(/now|sec|min/)
      .waitFor();
    // A token expires in 90 days by default.
    await row
      .getByRole('cell')
      .nth(4)
      .getByText(/in (2|3) mo/)
      .waitFor();
    expect([await readableBy(page), await page.content(), page.url(), ...urls].join()).not.toContain(token);
    await page.getByRole('button', { name: 'Delete desktop' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await row.waitFor({ state: 'detached' });
    await expect(whoAmI(hub)).rejects.toThrow();
    expect(complaints).toEqual([]);
  });

  test('take with them those that were created with them, unless these are kept', async () => {
    const pair = async (name: string) => {
      const hub = on.world.as('alice');
      const { token: accessToken } = await createAccessToken({ ...hub, displayName: name, role: 'write' });
      const created = await createAccessToken({ ...hub, accessToken, displayName: `${name} child`, role: 'read' });
      return { ...hub, accessToken: created.token };
    };
    const [gone, kept] = [await pair('first'), await pair('second')];
    await using visitor = await on.visit();
    const { page, complaints } = visitor;
    await page.goto('/settings/tokens');
    await signIn(page, 'alice');
    const dialog = page.getByRole('dialog');
    const also = dialog.getByRole('checkbox', { name: 'Also delete the access tokens that were created with it' });
    const row = (name: string) => page.getByRole('button', { name: `Delete ${name}`, exact: true });

    await row('first').click();
    await dialog.getByText('first child').waitFor();
    expect(await also.isChecked()).toBe(true);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await row('first child').waitFor({ state: 'detached' });
    await expect(whoAmI(gone)).rejects.toThrow();

    await row('second').click();
    await also.uncheck();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await row('second').waitFor({ state: 'detached' });
    await row('second child').click();
    expect(await also.count()).toBe(0);
    await whoAmI(kept);
    expect(complaints).toEqual([]);
  });

  test('get the chosen permissions on an account, an organization and a repository', async () => {
    await using visitor = await on.visit();
    const { page, complaints } = visitor;
    await begin(page);
    const create = page.getByRole('button', { name: 'Create token' });
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('pipeline');
    // The form creates no token without permissions.
    await expect.poll(() => create.isDisabled()).toBe(true);
    await page
      .getByRole('group', { name: 'Your account, alice' })
      .getByRole('checkbox', { name: 'See webhooks' })
      .check();
    await page.getByRole('combobox', { name: 'Add an organization' }).click();
    await page.getByRole('option', { name: 'acme' }).click();
    await page
      .getByRole('group', { name: 'org: acme' })
      .getByRole('checkbox', { name: /^See members/ })
      .check();
    await page.getByRole('textbox', { name: 'Add a repository' }).fill('acme/nothing');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await page.getByRole('textbox', { name: 'Add a repository' }).fill('acme/bert');
    await page.keyboard.press('Enter');
    await page
      .getByRole('group', { name: 'model: acme/bert' })
      .getByRole('checkbox', { name: /^Open discussions/ })
      .check();
    await expectAccessible(page);
    await create.click();
    const hub = { hubUrl: on.world.url, accessToken: await copied(page) };
    const { fineGrained } = (await whoAmI(hub)).auth.accessToken ?? {};
    expect(fineGrained?.scoped.map(({ entity, permissions }) => [entity.type, entity.name, permissions])).toEqual([
      ['user', 'alice', ['user.webhooks.read']],
      ['org', 'acme', ['org.read']],
      ['model', 'acme/bert', ['discussion.write']],
    ]);
    const discussion = { ...hub, type: 'model', title: 'By a pipeline', description: 'It may.' } as const;
    await createDiscussion({ ...discussion, repo: 'acme/bert' });
    await expect(createDiscussion({ ...discussion, repo: 'alice/tiny' })).rejects.toThrow();
    expect(complaints).toEqual([]);
  });

  test('get permissions on kernels and buckets, which are theirs alone', async () => {
    await using visitor = await on.visit();
    const { page, complaints } = visitor;
    await begin(page);
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('store');
    for (const [type, name] of [
      ['kernel', 'alice/ops'],
      ['bucket', 'alice/box'],
    ] as const) {
      await page.getByRole('combobox', { name: 'Type' }).click();
      await page.getByRole('option', { name: type }).click();
      await page.getByRole('textbox', { name: 'Add a repository' }).fill(name);
      await page.getByRole('button', { name: 'Add repository' }).click();
      await page
        .getByRole('group', { name: `${type}: ${name}` })
        .getByRole('checkbox', { name: 'Read its content' })
        .check();
    }
    const ofBucket = page.getByRole('group', { name: 'bucket: alice/box' });
    expect(await ofBucket.getByRole('checkbox', { name: /^Open discussions/ }).count()).toBe(0);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create token' }).click();
    const hub = { hubUrl: on.world.url, accessToken: await copied(page) };
    expect(await getRepo({ ...hub, type: 'kernel', repo: 'alice/ops' })).toMatchObject({ id: 'alice/ops' });
    expect(await getBucket({ ...hub, repo: 'alice/box' })).toMatchObject({ id: 'alice/box' });
    await expect(getRepo({ ...hub, type: 'model', repo: 'alice/tiny' })).rejects.toThrow();
    await expect(deleteBucket({ ...hub, repo: 'alice/box' })).rejects.toThrow();
    expect(complaints).toEqual([]);
  });

  test('that a browser creates while it is signed in with a weaker token are no stronger than that token', async () => {
    await on.world.apply({
      users: [{ name: 'bob', tokens: [{ name: 'reader', role: 'read', token: 'hf_bobReadsOnly' }] }],
    });
    await using visitor = await on.visit({ token: 'hf_bobReadsOnly' });
    const { page } = visitor;
    await page.goto('/settings/tokens/new?tokenType=write');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('stronger');
    await expect.poll(() => page.getByRole('radio', { name: 'Write' }).isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByRole('alert').waitFor();
    const names: string[] = [];
    for await (const { displayName } of listAccessTokens(on.world.as('bob'))) names.push(displayName);
    expect(names.toSorted()).toEqual(['laptop', 'reader']);
    expect(tokenOf('bob')).not.toBe('hf_bobReadsOnly');
  });
});
