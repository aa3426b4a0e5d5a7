import { parseJson } from '../../../platform/stored-form.ts';
import { scimError } from '../errors.ts';
import { isStorable } from '../resources/json.ts';

/** A literal as written; `quoted` in double or single quotes. */
export interface Literal {
  readonly text: string;
  readonly quoted: boolean;
}

/** Reads the tokens of a filter in order; it knows characters, not the grammar. */
export interface Tokens {
  /** Consumes the next word if it is the given one, in any case. */
  word(word: string): boolean;
  symbol(symbol: string): boolean;
  name(): string;
  literal(): Literal;
  atEnd(): boolean;
  /** Throws `invalidFilter` with what was expected, and where. */
  fail(expected: string): never;
}

const NAME = /[a-z$][\w$.:-]*/iy;
const DOUBLE_QUOTED = /"(?:[^"\\]|\\.)*"/sy;
const SINGLE_QUOTED = /'(?:[^'\\]|\\.)*'/sy;
const UNQUOTED = /[^\s"'()[\]]+/y;
const BLANKS = /\s*/y;

export function tokensOf(text: string): Tokens {
  let at = 0;

  function take(pattern: RegExp): string | undefined {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found === undefined) return undefined;
    at += found.length;
    return found;
  }
  function fail(expected: string): never {
    throw scimError(400, `The filter has no ${expected} at character ${at + 1}`, 'invalidFilter');
  }
  function storable(value: string): string {
    return isStorable(value) ? value : fail('Unicode text without NUL');
  }
  take(BLANKS);

  return {
    fail,
    atEnd: () => at === text.length,
    word(word) {
      const rest = text.slice(at, at + word.length + 1);
      if (rest.slice(0, word.length).toLowerCase() !== word || /^[\w$.:-]$/.test(rest.slice(word.length))) return false;
      at += word.length;
      take(BLANKS);
      return true;
    },
    symbol(symbol) {
      if (text[at] !== symbol) return false;
      at += 1;
      take(BLANKS);
      return true;
    },
    name() {
      const name = take(NAME) ?? fail('attribute name');
      take(BLANKS);
      return name;
    },
    literal() {
      const double = take(DOUBLE_QUOTED);
      const single = double ?? take(SINGLE_QUOTED);
      const found = single ?? take(UNQUOTED) ?? fail('value');
      take(BLANKS);
      if (double !== undefined) return { text: storable(jsonText(double) ?? fail('JSON string')), quoted: true };
      if (single !== undefined)
        return { text: storable(single.slice(1, -1).replace(/\\(['"\\])/g, '$1')), quoted: true };
      return { text: storable(found), quoted: false };
    },
  };
}

function jsonText(text: string): string | undefined {
  try {
    return parseJson<string>(text);
  } catch {
    return undefined;
  }
}
