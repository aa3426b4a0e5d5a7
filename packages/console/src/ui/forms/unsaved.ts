import { useEffect } from 'react';

const QUESTION = 'Leave this page? What you entered here is not saved.';

interface Unsaved {
  readonly href: string;
  readonly isDraft: boolean;
}

/** The forms on the page whose entries would be lost. */
const unsaved = new Map<object, Unsaved>();

/**
 * Asks before the page is left, by a link, with the browser's buttons or by closing the tab, while a form has unsaved
 * entries. `isDraft`: all of them are texts of `useDraft`.
 */
export function useUnsaved(isUnsaved: boolean, { isDraft = false } = {}): void {
  useEffect(() => {
    if (!isUnsaved) return;
    const form = {};
    unsaved.set(form, { href: location.href, isDraft });
    window.addEventListener('beforeunload', onUnload);
    return () => {
      unsaved.delete(form);
      if (unsaved.size === 0) leaveUnasked();
    };
  }, [isUnsaved, isDraft]);
}

/** Returns whether drafts are all that is unsaved. */
export const areAllDrafts = (): boolean => [...unsaved.values()].every(({ isDraft }) => isDraft);

/** Lets the page be unloaded without a question. */
export const leaveUnasked = (): void => window.removeEventListener('beforeunload', onUnload);

/** Returns whether the page may be left: nothing is unsaved, or the user agrees. */
export const mayLeave = (): boolean => unsaved.size === 0 || window.confirm(QUESTION);

// Browsers keep pages that listen to "beforeunload" less long in their cache, hence only while there is need.
const onUnload = (event: Event) => event.preventDefault();

function onClick(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const opensElsewhere = event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey;
  if (unsaved.size === 0 || !link?.href || link.target === '_blank' || link.hasAttribute('download') || opensElsewhere)
    return;
  const { origin, pathname } = new URL(link.href);
  // Leaving the hub asks by itself; another query or fragment keeps the form.
  if (origin !== location.origin || pathname === location.pathname || mayLeave()) return;
  event.preventDefault();
  event.stopPropagation();
}

function onBack(event: PopStateEvent): void {
  const [here] = unsaved.values();
  if (!here || new URL(here.href).pathname === location.pathname || mayLeave()) return;
  event.stopImmediatePropagation();
  history.pushState(null, '', here.href);
}

// They are added before the router is, and so hear of an event first.
window.addEventListener('popstate', onBack, true);
document.addEventListener('click', onClick, true);
