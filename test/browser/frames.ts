import type { Page } from 'playwright-core';

/** Scrolls down for two seconds, a little in each frame, and returns the milliseconds between the frames. */
const SCROLL = `new Promise((resolve) => {
  const frames = [];
  const step = document.documentElement.scrollHeight / 120;
  let before;
  const next = (now) => {
    if (before !== undefined) frames.push(now - before);
    before = now;
    scrollBy(0, step);
    if (frames.length < 120) requestAnimationFrame(next);
    else resolve(frames);
  };
  scrollTo(0, 0);
  requestAnimationFrame(next);
})`;

/** Replaces the page by one as high that has nothing to draw. */
const EMPTY = `{
  const height = document.documentElement.scrollHeight;
  document.body.innerHTML = '<div style="height:' + height + 'px"></div>';
}`;

interface Frames {
  /** The middle of all frames, in milliseconds. */
  readonly median: number;
  /** The frame that only one in twenty is longer than. */
  readonly long: number;
}

async function framesOf(page: Page): Promise<Frames> {
  const frames = (await page.evaluate<number[]>(SCROLL)).sort((a, b) => a - b);
  const at = (share: number) => frames[Math.floor(share * frames.length)] ?? Number.POSITIVE_INFINITY;
  return { median: at(0.5), long: at(0.95) };
}

/** Scrolls a page from its top to its end, then an empty page as high, which measures how busy the machine is; ends the page. */
export async function scrolled(page: Page): Promise<{ readonly shown: Frames; readonly empty: Frames }> {
  const shown = await framesOf(page);
  await page.evaluate(EMPTY);
  return { shown, empty: await framesOf(page) };
}
