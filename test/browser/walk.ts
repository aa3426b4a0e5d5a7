import { afterAll } from 'vitest';
import { type FilledWorld, PAGES, SIGNED_OUT } from './pages.ts';
import type { Stage } from './stage.ts';
import type { Visitor } from './visitor.ts';
import { tokenOf } from './world.ts';

/** The names of all pages. */
export const NAMES = Object.keys(PAGES);

/** Visits pages one after the other, each as the user whom it is for, who keeps the window and its cache. */
export function walk(on: Stage<FilledWorld>) {
  const visitors = new Map<string | undefined, Promise<Visitor>>();
  afterAll(async () => {
    for (const visitor of visitors.values()) await (await visitor)[Symbol.asyncDispose]();
  });
  const tokenFor = (name: string): string | undefined => {
    if (SIGNED_OUT.includes(name)) return undefined;
    return name.startsWith('admin-') ? on.world.admin.accessToken : tokenOf('alice');
  };
  return {
    /** Returns the window in which a page is opened, and the address of the page after creating what it shows. */
    async to(name: string): Promise<{ readonly visitor: Visitor; readonly path: string }> {
      const token = tokenFor(name);
      const visitor = visitors.get(token) ?? on.visit({ token });
      visitors.set(token, visitor);
      return { visitor: await visitor, path: (await PAGES[name]?.(on.world)) ?? '/' };
    },
  };
}

/** Opens another page of the console as its links do, without loading the console again. */
export async function follow(visitor: Pick<Visitor, 'page'>, path: string): Promise<void> {
  await visitor.page.evaluate(`new Promise((resolve) => {
    history.pushState(null, '', ${JSON.stringify(path)});
    dispatchEvent(new PopStateEvent('popstate'));
    requestAnimationFrame(() => requestAnimationFrame(resolve));
  })`);
  await isThere(visitor);
}

/** Waits until a page shows what it has. */
export async function isThere({ page }: Pick<Visitor, 'page'>): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
}
