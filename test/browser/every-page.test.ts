import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { faultsOn, showIn } from './accessible.ts';
import { noBrowser } from './chromium.ts';
import { stage } from './stage.ts';
import { type Colours, DESKTOP, PHONE } from './visitor.ts';
import { follow, NAMES, walk } from './walk.ts';
import { startFilledWorld } from './world.ts';

/** If set, pictures of all pages are written to docs/images. */
const PICTURES = process.env.MOONBASE_SCREENSHOTS === '1';
const MAX_BYTES = 100_000;
/** What a thread sends once it is shown, and the one read of a file that has a body. */
const EXPECTED = /^POST \/api\/(notifications\/mark-as-read$|models\/acme\/bert\/paths-info\/)/;
const folder = fileURLToPath(new URL('../../docs/images/', import.meta.url));

describe.skipIf(noBrowser)('every page', () => {
  const on = stage(startFilledWorld);
  const walking = walk(on);

  test.each(NAMES)(
    '%s is accessible in light and dark colours, fits a phone, and changes nothing by being read',
    async (name) => {
      const { visitor, path } = await walking.to(name);
      const { page, complaints, changes } = visitor;
      const before = complaints.length;
      await page.setViewportSize(DESKTOP);
      if (page.url() === 'about:blank') await page.goto(path);
      await follow(visitor, path);
      for (const colours of ['light', 'dark'] as const) {
        await showIn(page, colours);
        expect([colours, await faultsOn(page)]).toEqual([colours, []]);
        if (PICTURES) await picture(page, name, colours);
      }
      expect(complaints.slice(before)).toEqual([]);
      await page.setViewportSize(PHONE);
      await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width);
      expect(changes.filter((change) => !EXPECTED.test(change))).toEqual([]);
    },
  );
});

async function picture(page: Page, name: string, colours: Colours): Promise<void> {
  let bytes = await page.screenshot({ type: 'jpeg', quality: 80 });
  if (bytes.length >= MAX_BYTES) bytes = await page.screenshot({ type: 'jpeg', quality: 50 });
  expect(bytes.length).toBeLessThan(MAX_BYTES);
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}console-${name}-${colours}.jpg`, bytes);
}
