import { importsOf } from './imports.ts';
import { isRelative, productSources, resolveRelative, type SourceTree } from './source-tree.ts';

/**
 * Forbids import cycles, including type imports. Relative imports suffice, because dependencies between packages have
 * one direction.
 */
export function noCycles(tree: SourceTree): string[] {
  const graph = importGraph(tree);
  const done = new Set<string>();
  const cycles: string[] = [];

  const visit = (file: string, trail: string[]): void => {
    const start = trail.indexOf(file);
    if (start >= 0) cycles.push([...trail.slice(start), file].join(' → '));
    if (start >= 0 || done.has(file)) return;
    for (const target of graph.get(file) ?? []) visit(target, [...trail, file]);
    done.add(file);
  };

  for (const file of graph.keys()) visit(file, []);
  return cycles;
}

function importGraph(tree: SourceTree): Map<string, Set<string>> {
  return new Map(
    productSources(tree).map(([path, text]) => {
      const targets = importsOf(text)
        .filter(({ specifier }) => isRelative(specifier))
        .map(({ specifier }) => resolveRelative(path, specifier));
      return [path, new Set(targets)];
    }),
  );
}
