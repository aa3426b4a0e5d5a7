import { importsOf } from './imports.ts';
import { isKnown, isSlice, levelOf, SERVER, unitOf, withinServer } from './server-layout.ts';
import { isRelative, productSources, resolveRelative, type SourceTree } from './source-tree.ts';

/** A slice imports only from its left, and only through the index.ts of the other slice. */
export function importOrder(tree: SourceTree): string[] {
  return productSources(tree)
    .filter(([path]) => path.startsWith(SERVER) && isKnown(path))
    .flatMap(([path, text]) =>
      importsOf(text)
        .filter(({ specifier }) => isRelative(specifier))
        .map(({ specifier }) => resolveRelative(path, specifier))
        .filter((target) => target.startsWith(SERVER) && isKnown(target))
        .flatMap((target) => objectionTo(path, target)),
    );
}

function objectionTo(path: string, target: string): string[] {
  const from = unitOf(path);
  const to = unitOf(target);
  if (from === to) return [];
  if (!mayImport(from, to)) return [`${path} imports ${target}: ${to} does not stand to the left of ${from}`];
  if (isSlice(to) && withinServer(target) !== `${to}/index.ts`) {
    return [`${path} imports ${target}: the only door of ${to} is ${to}/index.ts`];
  }
  return [];
}

function mayImport(from: string, to: string): boolean {
  if (from === 'main') return to === 'serve';
  if (from === 'serve') return ['hub', 'infrastructure', 'config'].includes(to);
  return levelOf(to) < levelOf(from);
}
