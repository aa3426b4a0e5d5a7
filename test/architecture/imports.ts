export interface Import {
  readonly specifier: string;
  /** Whether the statement is an `import type` or `export type`, which vanishes at run time. */
  readonly typeOnly: boolean;
}

const blockComment = /\/\*[\s\S]*?\*\//;
const lineComment = /\/\/[^\n]*/;
const quoted = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/;
const template = /`(?:[^`\\$]|\\[\s\S]|\$(?!\{)|\$\{(?:[^`{}]|`[^`]*`|\{[^{}]*\})*\})*`/;
// A slash begins a regular expression only where no value can precede it; elsewhere it divides.
const regularExpression =
  /\/(?<=(?:[=(,:;!&|?{}[>\n]|\breturn)[ \t]*\/)(?![*/])(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//;

const tokens = new RegExp(
  [blockComment, lineComment, quoted, template, regularExpression].map(({ source }) => source).join('|'),
  'g',
);

/**
 * Returns the text without comments, with each template on one line so that no line inside one looks like a statement.
 */
export function codeOf(text: string): string {
  return text.replace(tokens, (token) => {
    if (token.startsWith('//') || token.startsWith('/*')) return ' ';
    return token.startsWith('`') ? token.replaceAll('\n', ' ') : token;
  });
}

/** Returns the text without comments and keeps every line in its place. */
export const codeByLine = (text: string): string =>
  text.replace(tokens, (token) =>
    token.startsWith('//') || token.startsWith('/*') ? token.replace(/[^\n]/g, ' ') : token,
  );

/** Returns the texts in backticks with their positions. */
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
