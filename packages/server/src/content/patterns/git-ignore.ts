import { wildmatch } from './wildmatch.ts';

const MAX_LINES = 2_000;
const MAX_PATTERN = 500;

interface IgnoreRule {
  readonly pattern: string;
  readonly ignored: boolean;
  readonly folderOnly: boolean;
}

/**
 * Returns a function that tells whether `.gitignore` excludes a path; the last rule that matches the file or a parent
 * folder wins.
 */
export function ignoreFilter(text: string): (path: string) => boolean {
  const rules = text
    .split('\n', MAX_LINES)
    .flatMap((line) => ruleIn(line.trimEnd()))
    .reverse();
  const verdict = (path: string, isFolder: boolean) =>
    rules.find(({ pattern, folderOnly }) => (isFolder || !folderOnly) && wildmatch(pattern, path))?.ignored;
  return (path) => {
    const parts = path.split('/');
    // A file in an excluded folder cannot be included again.
    const parents = parts.slice(0, -1).map((_, at) => parts.slice(0, at + 1).join('/'));
    return (
      rules.length > 0 && (parents.some((folder) => verdict(folder, true) === true) || verdict(path, false) === true)
    );
  };
}

function ruleIn(line: string): IgnoreRule[] {
  const ignored = !line.startsWith('!');
  const text = ignored ? line : line.slice(1);
  const folderOnly = text.endsWith('/');
  const pattern = folderOnly ? text.slice(0, -1) : text;
  if (pattern === '' || pattern.startsWith('#') || pattern.length > MAX_PATTERN) return [];
  return [{ pattern, ignored, folderOnly }];
}
