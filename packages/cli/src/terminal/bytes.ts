const UNITS = ['kB', 'MB', 'GB', 'TB'] as const;

/** Formats a number of bytes: `999 B`, `1.5 MB`. */
export function bytesText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const power = Math.min(UNITS.length, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1000 ** power).toFixed(1)} ${UNITS[power - 1]}`;
}

const BAR = 24;

/** Formats progress: a bar, a percentage, and bytes. */
export function progressText(what: string, bytes: number, totalBytes: number): string {
  const share = totalBytes === 0 ? 1 : Math.min(1, bytes / totalBytes);
  const filled = Math.floor(share * BAR);
  const bar = '#'.repeat(filled).padEnd(BAR, '.');
  return `${what} [${bar}] ${Math.floor(share * 100)} %, ${bytesText(bytes)} of ${bytesText(totalBytes)}`;
}
