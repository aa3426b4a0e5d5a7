import { createUserLink, useLink as spendLink } from '@moonbase/client/authentication';
import type { Page } from 'playwright-core';
import type { World } from './world.ts';

/** Returns the password of a user, which is long enough and contains no known fact about the user. */
export const passwordOf = (user: string): string => `seven quiet herons by the ${user.length} lakes`;

/** Gives a user the password `passwordOf(user)`. */
export async function givePassword({ admin, url }: World, user: string): Promise<void> {
  const link = await createUserLink({ ...admin, username: user, purpose: 'invite' });
  const code = new URL(link.url).pathname.split('/').at(-1) ?? '';
  await spendLink({ hubUrl: url, code, password: passwordOf(user) });
}

/** Fills in and submits the sign-in page, which must be open. */
export async function signIn(page: Page, user: string, password = passwordOf(user)): Promise<void> {
  await page.getByRole('textbox', { name: 'User name or e-mail address' }).fill(user);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
}

/** Returns the whole state that scripts of a page can read. */
export const readableBy = (page: Page): Promise<string> =>
  page.evaluate('JSON.stringify([{ ...sessionStorage }, { ...localStorage }, document.cookie])');
