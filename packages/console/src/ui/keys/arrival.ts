import { type RefObject, useEffect } from 'react';

/** The page whose heading had the focus last; undefined before the first page has been shown. */
let arrivedAt: string | undefined;
let goesBack = false;
window.addEventListener('popstate', () => {
  // A link to a part of the same page goes nowhere.
  goesBack = location.pathname !== arrivedAt;
});

/** What had the focus when the address of the page changed last. */
let departedFrom: Element | null = null;
for (const navigation of ['pushState', 'replaceState', 'popstate'])
  window.addEventListener(navigation, () => {
    departedFrom = document.activeElement;
  });

/**
 * Moves the focus to the heading after a navigation to another page, so that screen readers tell where one is and Tab goes
 * on from there; a page that was not open before begins at its top. The first page, a fragment, a field that takes the focus
 * by itself, and a dialog that the user has opened while the page was on its way keep it.
 */
export function useArrival(heading: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { pathname, hash } = location;
    const isFirst = arrivedAt === undefined;
    if (arrivedAt === pathname) return;
    arrivedAt = pathname;
    const wentBack = goesBack;
    goesBack = false;
    const { activeElement } = document;
    const isInField = activeElement?.closest('#main :is(input, textarea)');
    const isInNewDialog = activeElement !== departedFrom && activeElement?.closest('[role=dialog]');
    if (isFirst || hash !== '' || isInField || isInNewDialog) return;
    if (!wentBack) window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, [heading]);
}
