import type { Locator, Page } from 'playwright-core';

/** The means by which a user operates a page. */
export interface Hands {
  /** Presses a button, a link or a checkbox. */
  press(what: Locator): Promise<void>;
  /** Chooses one of several radio buttons. */
  choose(radio: Locator): Promise<void>;
  type(field: Locator, text: string): Promise<void>;
  /** Takes the first option that a field offers. */
  take(option: Locator): Promise<void>;
  /** Opens an entry of the main menu. */
  open(entry: string): Promise<void>;
}

const MAX_STOPS = 120;

/** Operates a page with keys alone. */
export function keyboard(page: Page): Hands {
  const reach = async (isThere: () => Promise<boolean>, name: unknown) => {
    for (let stop = 0; stop < MAX_STOPS; stop++) {
      if (await isThere()) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`No way to ${String(name)}`);
  };
  const focus = async (what: Locator) => {
    await what.waitFor({ state: 'attached' });
    await reach(() => what.evaluate((element) => element === element.ownerDocument.activeElement), what);
  };
  const press = async (what: Locator) => {
    await focus(what);
    await page.keyboard.press((await what.getAttribute('type')) === 'checkbox' ? 'Space' : 'Enter');
  };
  return {
    press,
    async choose(radio) {
      const group = page.locator(`input[name="${await radio.getAttribute('name')}"]`);
      await reach(
        () => group.evaluateAll((all) => all.some((each) => each === each.ownerDocument.activeElement)),
        radio,
      );
      for (const end = await group.count(), at = { step: 0 }; at.step < end && !(await radio.isChecked()); at.step++)
        await page.keyboard.press('ArrowRight');
    },
    async type(field, text) {
      await focus(field);
      await page.keyboard.press('Control+A');
      await page.keyboard.type(text);
    },
    async take(option) {
      await option.waitFor();
      await page.keyboard.press('Enter');
    },
    open: (entry) => press(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: entry })),
  };
}

/** Operates a page with one finger alone. */
export function touch(page: Page): Hands {
  return {
    press: (what) => what.tap(),
    async choose(radio) {
      await page.locator(`label[for="${await radio.getAttribute('id')}"]`).tap();
    },
    async type(field, text) {
      await field.tap();
      await field.fill(text);
    },
    take: (option) => option.tap(),
    async open(entry) {
      await page.getByRole('button', { name: 'Menu' }).tap();
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: entry }).tap();
    },
  };
}
