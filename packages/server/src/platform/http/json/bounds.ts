/** The deepest request of this API has 12 levels. */
const MAX_DEPTH = 64;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Returns what is wrong with a JSON text before it is parsed: too deep, too many values, or a NUL character, which
 * databases cannot store. A small text can contain hundreds of thousands of values, each of which costs far more than
 * its bytes. Stops at the first fault; malformed JSON is left to the parser.
 */
export function jsonBoundsFault(text: string, maxValues: number): string | undefined {
  const { length } = text;
  let depth = 0;
  let values = 1;
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at + 1);
      if (at < 0) return 'The body must not contain a NUL character';
    } else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      depth++;
      values++;
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth--;
    else if (code === COMMA) values++;
    else continue;
    if (depth > MAX_DEPTH) return `The body must not be nested more than ${MAX_DEPTH} levels deep`;
    if (values > maxValues) return `The body must not have more than ${maxValues} values; send several smaller ones`;
  }
  return undefined;
}

/** Returns the index of the quotation mark that ends a string; -1 if the string contains an escaped NUL. */
function endOfString(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH && text.startsWith('u0000', ++at)) return -1;
  }
  return at;
}
