import { codeByLine } from './imports.ts';
import { SERVER, withinServer } from './server-layout.ts';
import { productSources, type Rule } from './source-tree.ts';

/** A tagged text, a raw query, and the calls of the query builder that name a table. */
const SQL =
  /\bsql(?:<[^`(;]*>)?`|\bCompiledQuery\.raw\(|\.(?:selectFrom|insertInto|updateTable|deleteFrom|mergeInto)\(/g;

/** Stores, conditions that several of them share, and the database itself. */
const HOME = /(?:^|\/)(?:store|[^/]+-store|[^/]+-conditions?)\.ts$|^platform\/database\//;

/** SQL stands in stores: functions that take the executor first and hold no policy, no clock and no events. */
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
