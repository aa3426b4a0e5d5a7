import type { ByteText } from '../../platform/git/objects/byte-text.ts';

/** What a line does to an attribute: it sets it, unsets it, forgets it (undefined), or gives it a text. */
export interface Setting {
  readonly name: string;
  readonly to: boolean | ByteText | undefined;
}

/** A line of `.gitattributes`: settings for the paths that match a pattern, or those that a macro stands for. */
export interface AttributeLine {
  readonly pattern?: ByteText;
  readonly macro?: string;
  readonly settings: readonly Setting[];
}

const MACRO = '[attr]';
const NAME = /^(?!builtin_)[\w.][-\w.]*$/;
const BLANKS = /[ \t\r]+/;
/** A pattern in the quotes of C. */
const QUOTED = /^"((?:[^"\\]|\\[abfnrtv\\"]|\\[0-3][0-7]{2})*)"/;
const ESCAPE = /\\([0-7]{3}|.)/g;
const ESCAPED = new Map(Object.entries({ a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }));

/** Parses a line as git does; undefined for a comment, an empty line and one that git ignores. */
export function attributeLineIn(text: ByteText): AttributeLine | undefined {
  const line = text.replace(/^[ \t\r]+/, '');
  if (line === '' || line.startsWith('#')) return undefined;
  const quoted = QUOTED.exec(line);
  const plain = quoted ? quoted[0] : (line.split(BLANKS, 1)[0] ?? '');
  const pattern = quoted ? unescaped(quoted[1] ?? '') : plain;
  const words = line.slice(plain.length).split(BLANKS).filter(Boolean);
  const settings = words.map(settingIn);
  if (!settings.every(({ name }) => NAME.test(name))) return undefined;
  if (!pattern.startsWith(MACRO) || pattern === MACRO) return { pattern, settings };
  const macro = pattern.slice(MACRO.length);
  return NAME.test(macro) ? { macro, settings } : undefined;
}

const unescaped = (text: ByteText): ByteText =>
  text.replace(ESCAPE, (_, code: string) =>
    code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : (ESCAPED.get(code) ?? code),
  );

function settingIn(word: ByteText): Setting {
  const [, sign, name = '', value] = /^([-!]?)([^=]*)(?:=(.*))?$/s.exec(word) ?? [];
  if (sign === '-') return { name, to: false };
  if (sign === '!') return { name, to: undefined };
  return { name, to: value ?? true };
}
