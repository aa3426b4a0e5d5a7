import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Expects no accessibility faults on the page in its present state, in light and dark colours. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.locator(`:root[data-mantine-color-scheme=${colorScheme}]`).waitFor();
    const { violations } = await new AxeBuilder({ page }).analyze();
    const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    const where = grave.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 160))]);
    expect([colorScheme, where]).toEqual([colorScheme, []]);
  }
}
