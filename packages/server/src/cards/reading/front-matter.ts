/** So much of a README is read; what stands below is not looked through. */
export const MAX_README_BYTES = 1024 * 1024;

const BLOCK = /^\ufeff?\s*---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)??---[ \t]*(?:\r?\n|$)/;
const BEGINNING = /^\ufeff?\s*---[ \t]*\r?\n\s*[\w'"-]+:/;

/** Returns the metadata at the beginning of a README: undefined without any, null where its end was not found. */
export function metadataOf(readme: string, isCut = false): string | null | undefined {
  const block = BLOCK.exec(readme);
  if (block) return block[1] ?? '';
  return isCut && BEGINNING.test(readme) ? null : undefined;
}
