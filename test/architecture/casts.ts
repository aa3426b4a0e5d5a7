import { codeByLine, templatesOf } from './imports.ts';
import { type Rule, writtenByHand } from './source-tree.ts';

/** The bound for the whole product; a comment beside each remaining cast says why the cast is true. */
const MAX_CASTS = 37;

const IMPORTS = /^[ \t]*(?:import|export)\s+(?:type\s+)?(?:\{[^}]*\}|\*)[^;]*;/gm;
const QUOTED = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g;
/** Matches `as` and the begin of a type; `as const` makes no claim. */
const CAST =
  /[\w)\]}'"`!]\s+as\s+(?:[A-Z{([]|'|"|(?:readonly|unknown|never|any|string|number|boolean|object|symbol|typeof|keyof|undefined|null|z\.|import)\b|-readonly)/g;

/** The product has few casts: types come from typed inputs, from schemas at the edge, and from guards. */
export const fewCasts: Rule = (tree) => {
  const counts = writtenByHand(tree)
    .filter(([path]) => /^packages\/[^/]+\/src\//.test(path))
    .map(([path, text]) => ({ path, count: castsOf(text) }))
    .filter(({ count }) => count > 0);
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  if (total <= MAX_CASTS) return [];
  const places = counts.map(({ path, count }) => `${path} (${count})`).join(', ');
  return [`the product has ${total} casts, more than ${MAX_CASTS}: ${places}`];
};

const blank = (text: string): string => text.replace(/[^\n]/g, ' ');

function castsOf(text: string): number {
  let code = codeByLine(text);
  for (const template of templatesOf(code)) code = code.replace(template.text, blank(template.text));
  return [
    ...code
      .replace(IMPORTS, blank)
      .replace(QUOTED, (quoted) => `'${blank(quoted.slice(1, -1))}'`)
      .matchAll(CAST),
  ].length;
}
