import { codeByLine, templatesOf } from './imports.ts';
import { type Rule, writtenByHand } from './source-tree.ts';

const MAX_LINES = 120;

/** Matches the begin of a function with a name: a declaration, a constant, a method or a property. */
const STARTS = [
  /^\s*(?:export\s+)?(?:async\s+)?function\b\s*\*?\s*(?<name>\w+)/,
  /^\s*(?:export\s+)?const\s+(?<name>\w+)(?:\s*:[^=]*)?\s*=\s*(?:async\s*)?(?:<[^=]*>)?(?:\(|function\b|$)/,
  /^\s*(?:async\s+)?\*?(?!(?:if|for|while|switch|catch|return|await|function)\b)(?<name>\w+)(?:<[^(]*>)?\([^;]*\{$/,
  /^\s*(?<name>\w+):\s*(?:async\s*)?(?:\(|function\b)/,
];
const CLOSES = /^\s*[})\]]/;
const GOES_ON = /(?:[{([]|=>|[=|&?:])\s*$/;
const ARROW = /=>|\bfunction\b|\)\s*(?::[^;]*)?\{$/;

/** No function, including factories, is so long that it hides a concept. */
export const functionBudget: Rule = (tree) => {
  return writtenByHand(tree)
    .filter(([path]) => /^packages\/[^/]+\/src\//.test(path))
    .flatMap(([path, text]) =>
      functionsOf(text)
        .filter(({ lineCount }) => lineCount > MAX_LINES)
        .map(({ name, line, lineCount }) => `${path}:${line} ${name} has ${lineCount} lines, more than ${MAX_LINES}`),
    );
};

interface FunctionSize {
  readonly name: string;
  readonly line: number;
  readonly lineCount: number;
}

/** Returns the functions of a formatted file, whose inner lines are indented deeper than the first and the last. */
function functionsOf(text: string): FunctionSize[] {
  const lines = withoutTemplates(codeByLine(text)).split('\n');
  return lines.flatMap((line, at) => {
    const name = STARTS.map((start) => start.exec(line)?.groups?.name).find((each) => each !== undefined);
    if (name === undefined) return [];
    const end = endOf(lines, at);
    const isFunction = lines.slice(at, end + 1).some((each) => ARROW.test(each));
    return isFunction ? [{ name, line: at + 1, lineCount: end - at + 1 }] : [];
  });
}

function endOf(lines: readonly string[], start: number): number {
  const indent = indentOf(lines[start] ?? '');
  let last = start;
  for (let at = start + 1; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (line.trim() === '') continue;
    if (indentOf(line) <= indent) {
      if (!CLOSES.test(line) || indentOf(line) < indent) return last;
      if (!GOES_ON.test(line)) return at;
    }
    last = at;
  }
  return last;
}

const indentOf = (line: string): number => line.length - line.trimStart().length;

/** Removes texts in backticks, whose indentation means nothing. */
const withoutTemplates = (code: string): string =>
  templatesOf(code).reduce(
    (rest, { text, index }) =>
      rest.slice(0, index) +
      text.replace(/[^\n]/g, ' ').replace(/^ /, '`').replace(/ $/, '`') +
      rest.slice(index + text.length),
    code,
  );
