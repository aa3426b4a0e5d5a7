/** A name or a number that is being written in a text. */
export interface Word {
  /** `@` begins the name of a user, `#` the number or the title of a discussion. */
  readonly sign: '@' | '#';
  /** What is written after the sign. */
  readonly text: string;
  /** Where the sign stands in the whole text. */
  readonly at: number;
}

const WORD = /(?:^|[\s([{"'])([@#])([\w-]{0,40})$/;

/** Returns the word that ends at the cursor; undefined if none does, or if something follows without a space. */
export function wordBefore(text: string, cursor: number): Word | undefined {
  const match = WORD.exec(text.slice(Math.max(0, cursor - 50), cursor));
  if (!match || /^[\w-]/.test(text.slice(cursor))) return undefined;
  const [, sign, written = ''] = match;
  return { sign: sign === '@' ? '@' : '#', text: written, at: cursor - written.length - 1 };
}

/** Returns a text in which another one takes the place of a word, with a space, and where the cursor stands then. */
export function withWord(text: string, { at, text: written }: Word, chosen: string): readonly [string, number] {
  const rest = text.slice(at + 1 + written.length).replace(/^ /, '');
  const begin = `${text.slice(0, at)}${chosen} `;
  return [begin + rest, begin.length];
}
