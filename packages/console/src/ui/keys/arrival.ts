import { type RefObject, useEffect } from 'react';

/** The page whose heading had the focus last; undefined before the first page has been shown. */
let arrivedAt: string | undefined;
let goesBack = false;
window.addEventListener('popstate', () => {
  goesBack = true;
});

/**
 * Moves the focus to the heading after a navigation to another page, so that screen readers tell where one is and Tab goes
 * on from there; a page that was not open before begins at its top. The first page, a fragment, and a field that takes the
 * focus by itself keep it.
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
    const isInField = activeElement instanceof HTMLElement && activeElement.closest('#main :is(input, textarea)');
    if (isFirst || hash !== '' || isInField) return;
    if (!wentBack) window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, [heading]);
}
