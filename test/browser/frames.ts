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

/** Replaces the page by one as high with as many lines of plain text as it had rows. */
const BARE = `{
  const height = document.documentElement.scrollHeight;
  const rows = document.querySelectorAll('li').length;
  const row = '<div style="height:' + height / rows + 'px">A line of plain text</div>';
  document.body.innerHTML = row.repeat(rows);
}`;

interface Frames {
  /** The middle of all frames, in milliseconds. */
  readonly median: number;
  /** The frame that only one in twenty is longer than. */
  readonly long: number;
  /** The seconds that the page's thread worked for all frames. */
  readonly work: number;
}

async function framesOf(page: Page): Promise<Frames> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const worked = async (): Promise<number> =>
    (await session.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
  const before = await worked();
  const frames = (await page.evaluate<number[]>(SCROLL)).sort((a, b) => a - b);
  const at = (share: number) => frames[Math.floor(share * frames.length)] ?? Number.POSITIVE_INFINITY;
  return { median: at(0.5), long: at(0.95), work: (await worked()) - before };
}

/** Scrolls a page from its top to its end, then plain text as long, which shows what the machine can do; ends the page. */
export async function scrolled(page: Page): Promise<{ readonly shown: Frames; readonly bare: Frames }> {
  const shown = await framesOf(page);
  await page.evaluate(BARE);
  return { shown, bare: await framesOf(page) };
}
