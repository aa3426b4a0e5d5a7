/** Only this much of a README is read. */
export const MAX_README_BYTES = 1024 * 1024;

const BLOCK = /^\ufeff?\s*---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)??---[ \t]*(?:\r?\n|$)/;
const BEGINNING = /^\ufeff?\s*---[ \t]*\r?\n\s*[\w'"-]+:/;

/**
 * Returns the metadata at the beginning of a README: undefined if there is none, null if the README was cut before the
 * end of the metadata.
 */
export function metadataOf(readme: string, isCut = false): string | null | undefined {
  const block = BLOCK.exec(readme);
  if (block) return block[1] ?? '';
  return isCut && BEGINNING.test(readme) ? null : undefined;
}
