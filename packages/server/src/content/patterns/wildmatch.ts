/** Returns whether a list matches a pattern in which some items stand for any number of items. Never exponential. */
function matchWithStars<P, T>(
  pattern: readonly P[],
  items: readonly T[],
  isStar: (part: P) => boolean,
  matches: (part: P, item: T) => boolean,
): boolean {
  let [at, item, star, retry] = [0, 0, -1, 0];
  while (item < items.length) {
    const [part, current] = [pattern[at], items[item]];
    if (part !== undefined && isStar(part)) {
      star = at++;
      retry = item;
    } else if (part !== undefined && current !== undefined && matches(part, current)) {
      at++;
      item++;
    } else if (star >= 0) {
      at = star + 1;
      item = ++retry;
    } else return false;
  }
  return pattern.slice(at).every(isStar);
}

/** Returns the characters, sets such as `[a-z]`, and escapes of a pattern. */
const tokensOf = (pattern: string): string[] => pattern.match(/\\.|\[[!^]?\]?[^\]]*\]|./gsu) ?? [];

function inSet(token: string, character: string): boolean {
  const negated = /^\[[!^]/.test(token);
  const inside = Array.from(token.slice(negated ? 2 : 1, -1));
  const found = inside.some((from, at) => {
    if (inside[at + 1] === '-' && inside[at + 2] !== undefined)
      return from <= character && character <= (inside[at + 2] ?? '');
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
 * Returns whether a path matches a pattern of `.gitattributes` or `.gitignore`: without a slash it is about the last
 * part, with one about the whole path, in which `**` stands for any number of folders.
 */
export function wildmatch(pattern: string, path: string): boolean {
  const parts = path.split('/');
  if (!pattern.slice(0, -1).includes('/')) return matchesName(pattern, parts.at(-1) ?? '');
  const wanted = pattern.replace(/^\//, '').split('/');
  // At its end, `**` stands for what is in a folder, not for the folder.
  if (wanted.at(-1) === '**') wanted.push('*');
  return matchWithStars(wanted, parts, (part) => part === '**', matchesName);
}
