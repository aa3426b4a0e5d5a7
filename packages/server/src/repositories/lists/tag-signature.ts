/** The bits of a signature: as many as a number holds exactly. */
const BITS = 52;
/** A second bit makes two tags that share the first one differ. */
const BITS_PER_TAG = 2;

const OFFSET = 0x811c9dc5;
const PRIME = 0x01000193;

/** Returns the 32-bit FNV-1a hash of a text's UTF-16 code units. */
function hashOf(text: string): number {
  let hash = OFFSET;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), PRIME);
  return hash >>> 0;
}

/**
 * Returns the signature of tags in lower case, a whole number in which each tag sets two of 52 bits: a repository whose
 * signature lacks a bit of that of some tags does not have all of them. Stored, so it must never change.
 */
export function tagSignature(tags: readonly string[]): number {
  const bits = new Set(
    tags.flatMap((tag) => {
      const hash = hashOf(tag);
      return Array.from({ length: BITS_PER_TAG }, (_, turn) => Math.floor(hash / BITS ** turn) % BITS);
    }),
  );
  let signature = 0;
  for (const bit of bits) signature += 2 ** bit;
  return signature;
}

/** The signature of a new repository: each has this tag as soon as its files are read, so that most need no second write. */
export const NEW_SIGNATURE = tagSignature(['region:us']);
