import { wildmatch } from './wildmatch.ts';

/** More lines, or longer ones, are not looked at. */
const MAX_LINES = 2_000;
const MAX_PATTERN = 500;

interface FilterRule {
  readonly pattern: string;
  readonly lfs: boolean;
}

/** Which files a `.gitattributes` keeps as large files: the last line counts that says anything about the filter. */
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
