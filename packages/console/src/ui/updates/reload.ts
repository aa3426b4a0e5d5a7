import { keepDrafts } from '../forms/drafts.ts';
import { areAllDrafts, leaveUnasked } from '../forms/unsaved.ts';

const RELOADED = 'moonbase.reloaded';
/** Two versions that alternate, as in the middle of an update of several processes, reload a page no more often than this. */
const MIN_PAUSE_MS = 10_000;

/** Loads the page again; texts that are kept as drafts come back, and the browser asks about anything else. */
export function reloadPage(): void {
  if (keepDrafts() && areAllDrafts()) leaveUnasked();
  location.reload();
}

/** Loads the page again if that loses nothing and was not done just before. Returns whether it does. */
export function reloadedByItself(): boolean {
  const now = Date.now();
  const isTooSoon = now - Number(sessionStorage.getItem(RELOADED) ?? 0) < MIN_PAUSE_MS;
  if (isTooSoon || !areAllDrafts() || !keepDrafts()) return false;
  sessionStorage.setItem(RELOADED, String(now));
  leaveUnasked();
  location.reload();
  return true;
}
