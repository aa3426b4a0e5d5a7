import { createUserLink } from '@moonbase/client/authentication';
import { expect } from 'vitest';
import { openBrowser } from './browser.ts';
import type { TestHub } from './harness.ts';

export const PASSWORD = 'seven quiet herons';

/** Returns the path of a link of a user. */
export const linkFor = async (hub: TestHub, username: string, purpose: 'invite' | 'reset' | 'setup' = 'invite') => {
  const { url } = await createUserLink({ ...hub.admin, username, purpose });
  return new URL(url).pathname.replace('/join/', '/api/links/');
};

/** Gives a user a password with a link; returns the browser that set it. */
export async function withPassword(hub: TestHub, username: string, password = PASSWORD) {
  const browser = openBrowser(hub);
  const { status } = await browser.ask(`POST ${await linkFor(hub, username)}`, { password });
  expect(status).toBe(200);
  return browser;
}
