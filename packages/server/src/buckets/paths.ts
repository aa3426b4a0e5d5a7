const MAX_PATH_BYTES = 1024;

/** The character after all others: what begins with a text comes before the text with this character behind it. */
export const LAST_CHARACTER = '\u{10ffff}';

/** Returns whether a text has no control characters, and no halves of characters. */
export const isText = (text: string): boolean => !/[\p{Cc}\p{Cs}]/u.test(text);

/** Returns what is wrong with the path of a file in a bucket; undefined if it is valid. */
export function pathFault(path: string): string | undefined {
  if (path === '') return 'A path must not be empty';
  if (!isText(path) || path.includes(LAST_CHARACTER))
    return 'A path must not contain control characters or broken Unicode';
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) return `A path can have at most ${MAX_PATH_BYTES} bytes`;
  // Windows takes a backslash for a slash, so what stands between backslashes is a part as well.
  const parts = path.split(/[/\\]/);
  if (parts.includes('')) return 'A path must not have empty parts, nor begin or end with a slash';
  if (parts.includes('.') || parts.includes('..')) return 'A path must not have parts named . or ..';
  return undefined;
}
