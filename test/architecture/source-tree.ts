import { posix } from 'node:path';

/** Path from the repository's top, with forward slashes → text. */
export type SourceTree = ReadonlyMap<string, string>;

/** Answers with one sentence for each place that breaks the rule. */
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

/** What a script writes is as long as what it is written from. */
export function writtenByHand(tree: SourceTree): [path: string, text: string][] {
  return productSources(tree).filter(([path]) => !/^packages\/[^/]+\/src\/generated\//.test(path));
}

export function isRelative(specifier: string): boolean {
  return specifier.startsWith('.');
}

export function resolveRelative(from: string, specifier: string): string {
  return posix.join(posix.dirname(from), specifier);
}
