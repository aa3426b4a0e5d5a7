import { type SourceTree, writtenByHand } from './source-tree.ts';

const MAX_LINES = 400;
const QUANTILES = [
  { name: 'median', share: 0.5, budget: 70 },
  { name: '90th percentile', share: 0.9, budget: 220 },
];
// Quantiles of fewer files depend more on chance than on habit.
const ENOUGH_FILES = 20;

/** Files stay small: the median, the 90th percentile and the longest file have bounds. */
export function fileBudget(tree: SourceTree): string[] {
  const files = writtenByHand(tree)
    .filter(([path]) => /^packages\/[^/]+\/src\//.test(path))
    .map(([path, text]) => ({ path, lines: linesOf(text) }))
    .sort((a, b) => a.lines - b.lines);
  const tooLong = files
    .filter(({ lines }) => lines > MAX_LINES)
    .map(({ path, lines }) => `${path} has ${lines} lines, more than ${MAX_LINES}`);
  if (files.length < ENOUGH_FILES) return tooLong;
  const exceeded = QUANTILES.flatMap(({ name, share, budget }) => {
    const lines = files[Math.ceil(share * files.length) - 1]?.lines ?? 0;
    return lines > budget ? [`the ${name} of ${files.length} files is ${lines} lines, more than ${budget}`] : [];
  });
  return [...tooLong, ...exceeded];
}

function linesOf(text: string): number {
  return text.replace(/\n$/, '').split('\n').length;
}
