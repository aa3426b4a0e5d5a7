import { isUtf8 } from 'node:buffer';
import type { ByteText } from '../objects/byte-text.ts';

const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '"': '\\"',
  '\\': '\\\\',
};

const octal = (char: string): string => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`;

/** Returns a path as diffs name it, quoted if it contains quotes, control characters or bytes that are not UTF-8. */
export function diffPath(path: ByteText): ByteText {
  const isText = isUtf8(Buffer.from(path, 'latin1'));
  const special = isText ? /[^\x20-\x7e\x80-\xff]|["\\]/g : /[^\x20-\x7e]|["\\]/g;
  if (!special.test(path)) return path;
  return `"${path.replace(special, (char) => SHORT_ESCAPES[char] ?? octal(char))}"`;
}
