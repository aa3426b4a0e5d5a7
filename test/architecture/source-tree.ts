import { posix } from 'node:path';

/** Maps each path from the top of the repository, with forward slashes, to its text. */
export type SourceTree = ReadonlyMap<string, string>;

/** Returns one sentence for each violation. */
export type Rule = (tree: SourceTree) => string[];

export function isTest(path: string): boolean {
  return path.endsWith('.test.ts') || /^packages\/[^/]+\/test\//.test(path);
}

export function isTypeScript(path: string): boolean {
  return /\.tsx?$/.test(path);
}

export function productSources(tree: SourceTree): [path: string, text: string][] {
  return [...tree].filter(([path]) => isTypeScript(path) && !isTest(path));
}

/** Leaves out generated files, whose length depends on their sources. */
export function writtenByHand(tree: SourceTree): [path: string, text: string][] {
  return productSources(tree).filter(([path]) => !/^packages\/[^/]+\/src\/generated\//.test(path));
}

export function isRelative(specifier: string): boolean {
  return specifier.startsWith('.');
}

export function resolveRelative(from: string, specifier: string): string {
  return posix.join(posix.dirname(from), specifier);
}
