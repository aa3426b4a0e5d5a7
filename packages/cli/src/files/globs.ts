/** Returns whether a path matches the patterns. */
export type PathFilter = (path: string) => boolean;

/**
 * Returns the filter of `--include` and `--exclude`, with the patterns of Hugging Face clients: `*` and `?` also match
 * slashes, and a pattern that ends with a slash matches everything in the folder.
 */
export function globFilter(include: readonly string[] | undefined, exclude: readonly string[] = []): PathFilter {
  const wanted = include?.map(patternOf);
  const unwanted = exclude.map(patternOf);
  return (path) => (wanted?.some((each) => each.test(path)) ?? true) && !unwanted.some((each) => each.test(path));
}

function patternOf(glob: string): RegExp {
  const whole = glob.endsWith('/') ? `${glob}*` : glob;
  const parts = whole.match(/\*+|\?|\[[!^]?\]?[^\]]*\]|[^*?]/gsu) ?? [];
  return new RegExp(`^${parts.map(partOf).join('')}$`, 'su');
}

function partOf(part: string): string {
  if (part.startsWith('*')) return '.*';
  if (part === '?') return '.';
  const [, not, set] = /^\[([!^]?)(.+)\]$/s.exec(part) ?? [];
  if (set !== undefined) return `[${not ? '^' : ''}${set.replace(/[\\\]^[&~|]/g, '\\$&')}]`;
  return part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
