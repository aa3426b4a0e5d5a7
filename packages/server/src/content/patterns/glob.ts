import type { ByteText } from '../../platform/git/objects/byte-text.ts';
import { type CharacterSet, isInSet, parseSet } from './character-set.ts';
import type { Effort } from './effort.ts';

/** The parts of a pattern that are no literal bytes; a number below these names a set. */
const ANY = -1;
/** `*`: any bytes of a name. */
const NAME = -2;
/** `**` at the end, or before an escaped slash: any bytes. */
const ALL = -3;
/** `**` with its slash: any number of folders, also none. */
const FOLDERS = -4;
const FIRST_SET = -5;

const SLASH = 0x2f;

/** A compiled pattern. */
export interface Glob {
  readonly parts: readonly number[];
  readonly sets: readonly CharacterSet[];
}

/**
 * Compiles a pattern as git's wildmatch reads it, byte by byte; undefined if it can match nothing. `isPath` tells whether it
 * is for whole paths, where `*` stops at slashes, or for names.
 */
export function compileGlob(pattern: ByteText, isPath: boolean): Glob | undefined {
  const parts: number[] = [];
  const sets: CharacterSet[] = [];
  for (let at = 0; at < pattern.length; ) {
    const character = pattern[at];
    if (character === '*') {
      const stars = starsAt(pattern, at, isPath);
      parts.push(stars.part);
      at = stars.end;
    } else if (character === '[') {
      const parsed = parseSet(pattern, at);
      if (!parsed) return undefined;
      parts.push(FIRST_SET - sets.length);
      sets.push(parsed.set);
      at = parsed.end;
    } else {
      if (character === '\\') at++;
      if (at === pattern.length) return undefined;
      parts.push(character === '?' ? ANY : pattern.charCodeAt(at));
      at++;
    }
  }
  return { parts, sets };
}

/** Reads the stars at a position. */
function starsAt(pattern: string, at: number, isPath: boolean): { readonly part: number; readonly end: number } {
  let end = at + 1;
  while (pattern[end] === '*') end++;
  const isAlone = at === 0 || pattern[at - 1] === '/';
  if (isPath && end - at > 1 && isAlone) {
    if (pattern[end] === '/') return { part: FOLDERS, end: end + 1 };
    if (end === pattern.length || pattern.startsWith('\\/', end)) return { part: ALL, end };
  }
  return { part: NAME, end };
}

/**
 * Returns whether a pattern matches a text from a position to its end. After a fault only what the last star and the last
 * two stars stand for grows, so the steps are at most the product of both lengths for each folder of the text.
 */
export function matchesGlob({ parts, sets }: Glob, text: ByteText, from: number, effort: Effort): boolean {
  let at = 0;
  let position = from;
  // Where to go on after a fault: the part after the last star, and the position in the text.
  let afterName = -1;
  let nameEnd = 0;
  let afterWide = -1;
  let wideEnd = 0;
  for (;;) {
    effort.spend(1);
    const part = parts[at];
    if (part === NAME) {
      afterName = ++at;
      nameEnd = position;
    } else if (part === FOLDERS || part === ALL) {
      if (part === ALL && at === parts.length - 1) return true;
      afterWide = ++at;
      wideEnd = position;
      afterName = -1;
    } else if (position === text.length) {
      // What is left of the pattern needs further bytes, whatever the stars stand for.
      return part === undefined;
    } else if (part !== undefined && matchesPart(part, sets, text.charCodeAt(position))) {
      at++;
      position++;
    } else if (afterName >= 0 && text.charCodeAt(nameEnd) !== SLASH) {
      at = afterName;
      position = ++nameEnd;
    } else if (afterWide >= 0) {
      const slash = parts[afterWide - 1] === FOLDERS ? text.indexOf('/', wideEnd) : wideEnd;
      if (slash < 0 || slash >= text.length) return false;
      wideEnd = slash + 1;
      at = afterWide;
      position = wideEnd;
      afterName = -1;
    } else return false;
  }
}

function matchesPart(part: number, sets: readonly CharacterSet[], byte: number): boolean {
  if (part >= 0) return part === byte;
  if (byte === SLASH) return false;
  if (part === ANY) return true;
  const set = sets[FIRST_SET - part];
  return set !== undefined && isInSet(set, byte);
}
