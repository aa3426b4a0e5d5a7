import { isKnown, levelOf, SERVER, unitOf, withinServer } from './server-layout.ts';
import { productSources, type Rule, type SourceTree } from './source-tree.ts';
import { statementsOf } from './sql-statements.ts';

const DECLARATION = /\binterface\s+Tables\s*\{(?<tables>(?:[^{}]|\{[^}]*\})*)\}/;
const TABLE = /^\s*(?<name>[a-z_]+):/gm;
const INNER = /\{[^{}]*\}/g;

/** Matches the `tables.ts` of a slice, and that of the platform. */
const HOME = /^(?:platform\/database|[^/]+)\/tables\.ts$/;

const declaredIn = (text: string): string[] => {
  const tables = DECLARATION.exec(text)?.groups?.tables?.replace(INNER, '') ?? '';
  return [...tables.matchAll(TABLE)].map(({ groups }) => groups?.name ?? '');
};

/** Returns the owner of each table: the slice or platform whose `tables.ts` declares its rows. */
export function tableOwners(tree: SourceTree): ReadonlyMap<string, string> {
  return new Map(
    productSources(tree)
      .filter(([path]) => path.startsWith(SERVER) && HOME.test(withinServer(path)))
      .flatMap(([path, text]) => {
        return declaredIn(text).map((name): [string, string] => [name, unitOf(path)]);
      }),
  );
}

/** A slice writes only its own tables, and reads its own and those of slices to its left. */
export const ownedTables: Rule = (tree) => {
  const owners = tableOwners(tree);
  return productSources(tree)
    .filter(([path]) => path.startsWith(SERVER) && isKnown(path))
    .flatMap(([path, text]) =>
      statementsOf(text, new Set(owners.keys())).flatMap(({ table, writes, line }) => {
        const owner = owners.get(table) ?? '';
        const unit = unitOf(path);
        if (owner === unit) return [];
        if (writes) return [`${path}:${line} writes ${table}, which belongs to ${owner}: only ${owner} does`];
        if (levelOf(owner) < levelOf(unit)) return [];
        return [`${path}:${line} reads ${table}, which belongs to ${owner}, not to the left of ${unit}`];
      }),
    );
};

/** Every table has one owner. */
export const oneOwner: Rule = (tree) => {
  const seen = new Map<string, string>();
  return productSources(tree)
    .filter(([path]) => path.startsWith(SERVER))
    .flatMap(([path, text]) => {
      const tables = declaredIn(text);
      if (tables.length > 0 && !HOME.test(withinServer(path)))
        return [`${path} declares tables: the tables.ts of a slice does`];
      return tables.flatMap((name) => {
        const before = seen.get(name);
        seen.set(name, path);
        return before === undefined ? [] : [`${path} declares ${name}, which ${before} declares already`];
      });
    });
};
