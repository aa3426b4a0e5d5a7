/** Returns what is wrong with the name of a repository, or undefined. */
export function repoNameFault(name: string): string | undefined {
  if (!/^[A-Za-z0-9._-]{1,96}$/.test(name)) return 'must be 1 to 96 letters, digits, -, _ and .';
  if (name.includes('..')) return 'must not contain ..';
  if (/\.git$/i.test(name)) return 'must not end with .git';
  if (/^[-.]|[-.]$/.test(name)) return 'must not begin or end with - or .';
  return undefined;
}

/** Returns what is wrong with the name of a branch or tag, or undefined (the rules of `git check-ref-format`). */
export function refNameFault(name: string): string | undefined {
  if (/[\p{Cc} ~^:?*[\\]/u.test(name)) return 'must not contain blanks, control characters or any of ~ ^ : ? * [ \\';
  if (/\.\.|@\{|\/\/|^[-/.]|[/.]$|\/\.|\.lock(\/|$)/.test(name) || name === '@')
    return 'is not a valid name of a git ref';
  return undefined;
}

export const BRANCH = 'refs/heads/';
export const TAG = 'refs/tags/';
export const PULL_REQUEST = 'refs/pr/';
export const MAIN = `${BRANCH}main`;
