import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const OPTIONS = {
  /** WCAG 2.2 at level AA, and what axe recommends beyond it. */
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  resultTypes: ['violations'],
};
/** Runs in the page, so that only faults leave it: what passes is megabytes. */
const FAULTS = `axe.run(document, ${JSON.stringify(OPTIONS)}).then(({ violations }) => violations.map(({ id, nodes }) => [
  id,
  nodes.map(({ html, failureSummary }) => [html.slice(0, 160), failureSummary]),
]))`;

type Fault = readonly [rule: string, places: readonly (readonly [html: string, summary: string])[]];

/** Returns the accessibility faults of a page in its present state, of any weight, each with what has it. */
export async function faultsOn(page: Page): Promise<readonly Fault[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe.source);
  return page.evaluate<readonly Fault[]>(FAULTS);
}

/** Shows the page in light or dark colours. */
export async function showIn(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.locator(`:root[data-mantine-color-scheme=${colorScheme}]`).waitFor();
}

/** Expects no accessibility faults on the page in its present state, in light and dark colours. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colours of ['dark', 'light'] as const) {
    await showIn(page, colours);
    expect([colours, await faultsOn(page)]).toEqual([colours, []]);
  }
}
