import { dirname } from 'node:path/posix';
import { type SourceTree, writtenByHand } from './source-tree.ts';

const MAX_FILES = 20;
const SOURCE = /^packages\/[^/]+\/src\/.*\.tsx?$/;

/** A folder stays small enough to read at a glance. */
export function folderBudget(tree: SourceTree): string[] {
  const counts = new Map<string, number>();
  for (const [path] of writtenByHand(tree))
    if (SOURCE.test(path)) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count > MAX_FILES)
    .map(([folder, count]) => `${folder} has ${count} source files, more than ${MAX_FILES}: give its concepts folders`);
}
