import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { startCertifiedProvider } from '../../packages/server/test/certified-provider.ts';
import { expectAccessible } from './accessible.ts';
import { noBrowser } from './chromium.ts';
import { stage } from './stage.ts';
import type { Visitor } from './visitor.ts';
import { startWorld } from './world.ts';

/** Starts a hub whose sign-in page goes to the provider by itself. */
async function startWithProvider() {
  const provider = await startCertifiedProvider();
  const world = await startWorld({
    ...provider.settings,
    ...{ MOONBASE_OIDC_NAME: 'Example Login', MOONBASE_OIDC_AUTO: 'true' },
  });
  provider.serve(world.url);
  return {
    ...world,
    provider,
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
    },
  };
}

/** Fills in the forms of the provider: who the person is, and that the hub may know it. */
async function signInAtProvider(page: Page, name: string): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill(name);
  await page.getByPlaceholder('and password').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

/** Returns what the browser complained about; the pages of the provider ask for a font of another host. */
const complaintsOf = ({ complaints }: Visitor) => complaints.filter((text) => !text.includes('ERR_NAME_NOT_RESOLVED'));

const signOut = async (page: Page) => {
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
};

describe.skipIf(noBrowser)('people who sign in at the provider of their company', () => {
  const on = stage(startWithProvider);

  test('get there from any page by themselves, come back to that page, and stay signed out once they signed out', async () => {
    await using visitor = await on.visit();
    const { page } = visitor;
    await page.goto('/settings/profile');
    await signInAtProvider(page, 'dora');
    await page.waitForURL('**/settings/profile');
    await page.getByRole('button', { name: 'Account' }).getByText('dora').waitFor();
    // Going back must not lead to the code.
    expect(await page.evaluate('history.length')).toBeGreaterThan(1);
    expect(page.url()).not.toContain('code=');
    await signOut(page);
    const button = page.getByRole('button', { name: 'Sign in with Example Login' });
    await button.waitFor();
    await expectAccessible(page);
    expect(new URL(page.url()).origin).toBe(on.world.url);
    await button.click();
    await page.getByRole('button', { name: 'Account' }).getByText('dora').waitFor();
    expect(complaintsOf(visitor)).toEqual([]);
  });

  test('find the other ways with `auto=false`, and read why the provider let them not in', async () => {
    await using visitor = await on.visit();
    const { page } = visitor;
    await page.goto('/login?auto=false');
    await page.getByRole('button', { name: 'Sign in with Example Login' }).waitFor();
    await page.getByLabel('Password', { exact: true }).waitFor();
    await page.goto('/inbox');
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByRole('heading', { name: 'You are not signed in' }).waitFor();
    await page.getByText('The provider refused the sign-in, or you cancelled it').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'To the sign-in page' }).click();
    await page.getByRole('button', { name: 'Sign in with Example Login' }).waitFor();
    expect(complaintsOf(visitor)).toEqual([]);
  });

  test('are signed out in the browser when they sign out at the provider', async () => {
    await using visitor = await on.visit();
    const { page } = visitor;
    await page.goto('/inbox');
    await signInAtProvider(page, 'erin');
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();
    const atProvider = await page.context().newPage();
    await atProvider.goto(`${on.world.provider.issuer}/session/end`);
    await atProvider.getByRole('button', { name: 'Yes, sign me out' }).click();
    await page.getByText('Your session has ended. Sign in again.').waitFor();
  });
});
