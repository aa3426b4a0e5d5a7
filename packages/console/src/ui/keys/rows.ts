const ROWS = '#main :is(.row, tbody tr)';

/** Returns the row of a list that has the focus. */
export const rowHere = (): Element | undefined => document.activeElement?.closest(ROWS) ?? undefined;

/** Moves the focus to the title of the next or the previous row of the lists of a page, at first to the first row. */
export function focusRow(step: 1 | -1): void {
  const rows = [...document.querySelectorAll(ROWS)];
  const here = rowHere();
  const at = here ? rows.indexOf(here) + step : 0;
  const row = rows[Math.min(Math.max(at, 0), rows.length - 1)];
  const title = row?.querySelector<HTMLElement>('a.row-title, a, button');
  title?.focus();
  row?.scrollIntoView({ block: 'nearest' });
}
