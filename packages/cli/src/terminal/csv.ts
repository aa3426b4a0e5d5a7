import type { Columns } from './table.ts';

/**
 * Formats entries as comma-separated values (RFC 4180). No cell begins like a formula, which spreadsheets would
 * evaluate.
 */
export function csvText<T>(entries: readonly T[], columns: Columns<T>): string {
  const rows = entries.map((entry) => Object.values(columns).map((read) => String(read(entry) ?? '')));
  return [Object.keys(columns), ...rows].map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('');
}

function quoted(cell: string): string {
  const tame = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(tame) ? `"${tame.replaceAll('"', '""')}"` : tame;
}
