import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { browserOfProcess, type Visitor, visit } from './visitor.ts';
import type { World } from './world.ts';

export interface Stage<W extends World> {
  readonly world: W;
  /** Opens the hub in a browser with a fresh profile. */
  visit(options?: Parameters<typeof visit>[2]): Promise<Visitor>;
}

/** Starts a hub for all tests of the surrounding `describe`. */
export function stage<W extends World>(start: () => Promise<W>): Stage<W> {
  let world: W;
  let browser: Browser;
  beforeAll(async () => {
    [world, browser] = await Promise.all([start(), browserOfProcess()]);
  });
  afterAll(() => world?.[Symbol.asyncDispose]());
  return {
    get world() {
      return world;
    },
    visit: (options = {}) => visit(browser, world.url, options),
  };
}
