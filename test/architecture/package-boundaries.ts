import { importsOf } from './imports.ts';
import { isRelative, isTest, isTypeScript, productSources, resolveRelative, type SourceTree } from './source-tree.ts';

const SCOPE = '@moonbase/';

/** The imports allowed to each package beside its own files; tests of a package may import any other. */
const MAY_IMPORT: Record<string, (name: string, typeOnly: boolean) => boolean> = {
  contract: (name) => name === 'zod',
  client: (name, typeOnly) => name === '@noble/hashes' || (typeOnly && foreignOr(['contract'], name)),
  receiver: (name, typeOnly) => foreignOr([], name) && (typeOnly || name.startsWith('node:')),
  server: (name) => foreignOr(['contract'], name),
  cli: (name) => foreignOr(['client', 'server'], name),
  console: (name) => foreignOr(['client', 'contract'], name),
};

/** Packages depend on each other in one direction, and import each other by name. */
export function packageBoundaries(tree: SourceTree): string[] {
  return [...unknownPackages(tree), ...strayPaths(tree), ...refusedPackages(tree)];
}

function unknownPackages(tree: SourceTree): string[] {
  const packages = new Set([...tree.keys()].flatMap((path) => packageOf(path) ?? []));
  return [...packages]
    .filter((name) => !(name in MAY_IMPORT))
    .map((name) => `packages/${name} is not in the architecture`);
}

function strayPaths(tree: SourceTree): string[] {
  return [...tree]
    .filter(([path]) => isTypeScript(path) && packageOf(path) !== undefined)
    .flatMap(([path, text]) =>
      importsOf(text)
        .filter(({ specifier }) => isRelative(specifier))
        .filter(({ specifier }) => packageOf(resolveRelative(path, specifier)) !== packageOf(path))
        .map(({ specifier }) => `${path} imports ${specifier}, a path out of its package`),
    );
}

function refusedPackages(tree: SourceTree): string[] {
  return productSources(tree).flatMap(([path, text]) => {
    const owner = packageOf(path);
    const allows = owner === undefined ? undefined : MAY_IMPORT[owner];
    if (!allows || isTest(path)) return [];
    return importsOf(text)
      .filter(({ specifier }) => !isRelative(specifier))
      .filter(({ specifier, typeOnly }) => !allows(packageName(specifier), typeOnly))
      .map(({ specifier, typeOnly }) => `${path} may not import ${specifier}${typeOnly ? '' : ' for its values'}`);
  });
}

function packageOf(path: string): string | undefined {
  return /^packages\/([^/]+)\//.exec(path)?.[1];
}

function packageName(specifier: string): string {
  const parts = specifier.split('/');
  return parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/');
}

function foreignOr(ours: string[], name: string): boolean {
  return !name.startsWith(SCOPE) || ours.includes(name.slice(SCOPE.length));
}
