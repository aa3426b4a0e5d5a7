const ROWS = '#main :is(.row, tbody tr)';
const TITLE = 'a.row-title, a, button';

/** Returns the row of a list that has the focus. */
export const rowHere = (): Element | undefined => document.activeElement?.closest(ROWS) ?? undefined;

/** Moves the focus to the title of the next or the previous row of the lists of a page, at first to the first row. */
export function focusRow(step: 1 | -1): void {
  // A row that leads nowhere, for example one with details of the row above it, is passed over.
  const rows = [...document.querySelectorAll(ROWS)].filter((row) => row.querySelector(TITLE) !== null);
  const here = rowHere();
  const at = here ? rows.indexOf(here) + step : 0;
  const row = rows[Math.min(Math.max(at, 0), rows.length - 1)];
  row?.querySelector<HTMLElement>(TITLE)?.focus();
  row?.scrollIntoView({ block: 'nearest' });
}
