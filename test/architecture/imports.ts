export interface Import {
  readonly specifier: string;
  /** `import type` or `export type`: nothing of it is left at run time. */
  readonly typeOnly: boolean;
}

const blockComment = /\/\*[\s\S]*?\*\//;
const lineComment = /\/\/[^\n]*/;
const quoted = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/;
const template = /`(?:[^`\\$]|\\[\s\S]|\$(?!\{)|\$\{(?:[^`{}]|`[^`]*`|\{[^{}]*\})*\})*`/;
// A slash opens a regular expression only where no value can stand before it; elsewhere it divides.
const regularExpression =
  /\/(?<=(?:[=(,:;!&|?{}[>\n]|\breturn)[ \t]*\/)(?![*/])(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//;

const tokens = new RegExp(
  [blockComment, lineComment, quoted, template, regularExpression].map(({ source }) => source).join('|'),
  'g',
);

/** The text without comments. Templates become one line, so that no line of theirs passes for a statement. */
export function codeOf(text: string): string {
  return text.replace(tokens, (token) => {
    if (token.startsWith('//') || token.startsWith('/*')) return ' ';
    return token.startsWith('`') ? token.replaceAll('\n', ' ') : token;
  });
}

/** The text without comments, every line where it was. */
export const codeByLine = (text: string): string =>
  text.replace(tokens, (token) =>
    token.startsWith('//') || token.startsWith('/*') ? token.replace(/[^\n]/g, ' ') : token,
  );

/** The texts in backticks, with where they begin. */
export const templatesOf = (code: string): { readonly text: string; readonly index: number }[] =>
  [...code.matchAll(tokens)].flatMap(({ 0: text, index }) => (text.startsWith('`') ? [{ text, index }] : []));

const bindings = /(?:\*(?:\s*as\s+[\w$]+)?|\{[^}]*\}|[\w$]+(?:\s*,\s*(?:\{[^}]*\}|\*\s*as\s+[\w$]+))?)/;
const statement = new RegExp(
  `^[ \\t]*(?:import|export)\\b\\s*(?<type>type\\b\\s*)?(?:${bindings.source}\\s*from\\s*)?['"](?<specifier>[^'"\\n]+)['"]`,
  'gm',
);
const call = /\bimport\s*\(\s*(['"`])(?<specifier>[^'"`\n]+)\1/g;

export function importsOf(text: string): Import[] {
  const code = codeOf(text);
  return [...code.matchAll(statement), ...code.matchAll(call)].map(({ groups }) => ({
    specifier: groups?.specifier ?? '',
    typeOnly: groups?.type !== undefined,
  }));
}
