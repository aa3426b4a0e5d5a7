import type { Page } from 'playwright-core';

/** How long a paint is waited for, in milliseconds. */
export const MAX_WAIT_MS = 3000;
const LARGEST_PAINT = `new Promise((resolve) => {
  new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime)).observe({ type: 'largest-contentful-paint', buffered: true });
  setTimeout(() => resolve(Infinity), ${MAX_WAIT_MS});
})`;
const SHIFT = `new Promise((resolve) => {
  let sum = 0;
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) sum += entry.value; }).observe({ type: 'layout-shift', buffered: true });
  setTimeout(() => resolve(sum), 200);
})`;

/** Returns the milliseconds from the begin of a navigation to the largest paint so far. */
export const largestPaint = (page: Page): Promise<number> => page.evaluate<number>(LARGEST_PAINT);

/** Returns how far the content of a page has moved without its user since the page was loaded, as browsers count it. */
export const shiftOf = (page: Page): Promise<number> => page.evaluate<number>(SHIFT);
