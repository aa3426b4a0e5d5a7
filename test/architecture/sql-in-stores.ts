import { codeByLine } from './imports.ts';
import { SERVER, withinServer } from './server-layout.ts';
import { productSources, type Rule } from './source-tree.ts';

/** Matches a tagged text, a raw query, and calls of the query builder that name a table. */
const SQL =
  /\bsql(?:<[^`(;]*>)?`|\bCompiledQuery\.raw\(|\.(?:selectFrom|insertInto|updateTable|deleteFrom|mergeInto)\(/g;

/** Matches stores, shared conditions, and the database itself. */
const HOME = /(?:^|\/)(?:store|[^/]+-store|[^/]+-conditions?)\.ts$|^platform\/database\//;

/** SQL belongs to stores: functions that take the executor first and contain no policy, clock or events. */
export const sqlInStores: Rule = (tree) => {
  return productSources(tree)
    .filter(([path]) => path.startsWith(SERVER) && !HOME.test(withinServer(path)))
    .flatMap(([path, text]) => {
      const code = codeByLine(text);
      return [...code.matchAll(SQL)].slice(0, 1).map(({ 0: sql, index }) => {
        const line = code.slice(0, index).split('\n').length;
        return `${path}:${line} has SQL outside of a store: ${sql}`;
      });
    });
};
