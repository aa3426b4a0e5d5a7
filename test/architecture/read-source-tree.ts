import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { SourceTree } from './source-tree.ts';

export function readSourceTree(top: string): SourceTree {
  const packages = readdirSync(join(top, 'packages'));
  const roots = [...packages.flatMap((name) => [`packages/${name}/src`, `packages/${name}/test`]), 'demo'];
  return new Map(
    roots
      .flatMap((root) => filesBelow(join(top, root)))
      .map((file) => [relative(top, file).split(sep).join('/'), readFileSync(file, 'utf8')]),
  );
}

function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.(tsx?|md)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.includes(`${sep}node_modules${sep}`))
    .sort();
}
