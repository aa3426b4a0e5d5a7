import { wildmatch } from './wildmatch.ts';

/** Further lines and longer patterns are ignored. */
const MAX_LINES = 2_000;
const MAX_PATTERN = 500;

interface FilterRule {
  readonly pattern: string;
  readonly lfs: boolean;
}

/**
 * Returns a function that tells whether `.gitattributes` makes a path a large file; the last matching rule wins, and
 * undefined means no rule.
 */
export function lfsFilter(text: string): (path: string) => boolean | undefined {
  const rules = text
    .split('\n', MAX_LINES)
    .flatMap((line) => ruleIn(line.trim()))
    .reverse();
  return (path) => rules.find(({ pattern }) => wildmatch(pattern, path))?.lfs;
}

function ruleIn(line: string): FilterRule[] {
  if (line === '' || line.startsWith('#')) return [];
  const [pattern = '', ...attributes] = line.split(/\s+/);
  const filter = attributes.findLast((each) => /^([-!]?filter|filter=.*)$/.test(each));
  if (filter === undefined || pattern.length > MAX_PATTERN) return [];
  return [{ pattern, lfs: filter === 'filter=lfs' }];
}
