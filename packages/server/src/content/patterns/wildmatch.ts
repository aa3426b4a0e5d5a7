/**
 * Returns whether a list matches a pattern in which stars stand for any number of items; never takes exponential time.
 */
function matchWithStars<P, T>(
  pattern: readonly P[],
  items: readonly T[],
  isStar: (part: P) => boolean,
  matches: (part: P, item: T) => boolean,
): boolean {
  let [position, index, star, retry] = [0, 0, -1, 0];
  while (index < items.length) {
    const [part, current] = [pattern[position], items[index]];
    if (part !== undefined && isStar(part)) {
      star = position++;
      retry = index;
    } else if (part !== undefined && current !== undefined && matches(part, current)) {
      position++;
      index++;
    } else if (star >= 0) {
      position = star + 1;
      index = ++retry;
    } else return false;
  }
  return pattern.slice(position).every(isStar);
}

/** Splits a pattern into its characters, sets such as `[a-z]`, and escapes. */
const tokensOf = (pattern: string): string[] => pattern.match(/\\.|\[[!^]?\]?[^\]]*\]|./gsu) ?? [];

function inSet(token: string, character: string): boolean {
  const negated = /^\[[!^]/.test(token);
  const members = Array.from(token.slice(negated ? 2 : 1, -1));
  const found = members.some((from, position) => {
    if (members[position + 1] === '-' && members[position + 2] !== undefined)
      return from <= character && character <= (members[position + 2] ?? '');
    return from === character;
  });
  return found !== negated;
}

function matchesCharacter(token: string, character: string): boolean {
  if (token === '?') return true;
  if (token.length > 2 && token.startsWith('[')) return inSet(token, character);
  return (token.length > 1 && token.startsWith('\\') ? token.slice(1) : token) === character;
}

const matchesName = (pattern: string, name: string): boolean =>
  matchWithStars(tokensOf(pattern), Array.from(name), (token) => token === '*', matchesCharacter);

/**
 * Returns whether a path matches a pattern of `.gitattributes` or `.gitignore`. A pattern without a slash matches the
 * last part of the path; any other matches the whole path, and `**` stands for any number of folders.
 */
export function wildmatch(pattern: string, path: string): boolean {
  const parts = path.split('/');
  if (!pattern.slice(0, -1).includes('/')) return matchesName(pattern, parts.at(-1) ?? '');
  const wanted = pattern.replace(/^\//, '').split('/');
  // A trailing `**` matches the content of a folder, not the folder itself.
  if (wanted.at(-1) === '**') wanted.push('*');
  return matchWithStars(wanted, parts, (part) => part === '**', matchesName);
}
