import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { noBrowser } from './chromium.ts';
import { PAGES, SIGNED_OUT } from './pages.ts';
import { stage } from './stage.ts';
import { follow } from './walk.ts';
import { startFilledWorld, tokenOf } from './world.ts';

/** Pages that exist to say that something is missing. */
const MISSING = ['repository-missing', 'not-found'];
/** What the hub serves itself at addresses outside of the console. */
const SERVED = /^\/(api|docs|\.well-known)(\/|$)|\/(resolve|raw)\//;

/** Opens a page of the console, and returns whether it says that there is nothing. */
async function isMissing(page: Page, path: string): Promise<boolean> {
  await follow({ page }, path);
  return (await page.getByRole('heading', { name: 'Not found' }).count()) > 0;
}

describe.skipIf(noBrowser)('the links of a filled hub', () => {
  const on = stage(startFilledWorld);

  test('lead somewhere: none is dead', async () => {
    const { world } = on;
    await world.apply({ users: [{ name: 'alice', admin: true }] });
    const left: { path: string; from: string }[] = [];
    for (const [name, create] of Object.entries(PAGES))
      if (![...SIGNED_OUT, ...MISSING].includes(name)) left.push({ path: await create(world), from: name });
    await using visitor = await on.visit({ token: tokenOf('alice') });
    const { page, complaints } = visitor;
    await page.goto('/inbox');
    expect(await isMissing(page, '/acme/nothing')).toBe(true);
    const known = new Set(left.map(({ path }) => path));
    const dead: string[] = [];
    for (let next = left.shift(); next; next = left.shift()) {
      const { path, from } = next;
      if (SERVED.test(path)) {
        const { status } = await fetch(world.url + path, { headers: { authorization: `Bearer ${tokenOf('alice')}` } });
        if (status >= 400) dead.push(`${path} on ${from}: ${status}`);
        continue;
      }
      if (await isMissing(page, path)) dead.push(`${path} on ${from}`);
      const links = await page.evaluate<string[]>('[...document.querySelectorAll("a[href]")].map(({ href }) => href)');
      for (const link of links) {
        const { origin, pathname, search } = new URL(link);
        const found = pathname + search;
        if (origin !== world.url || known.has(found)) continue;
        known.add(found);
        left.push({ path: found, from: path });
      }
    }
    expect(dead).toEqual([]);
    expect(complaints).toEqual([]);
    expect(known.size).toBeGreaterThan(150);
  });
});
