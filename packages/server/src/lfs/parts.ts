const MEBIBYTE = 1024 * 1024;

/** Larger files are uploaded in parts if the client supports it, so that an interruption costs only one part. */
export const PARTS_FROM_BYTES = 1024 * MEBIBYTE;
const PART_BYTES = 64 * MEBIBYTE;
/** The limit of S3. */
const MAX_PARTS = 10_000;

/** Returns the size of a file's parts, of which only the last may be smaller. */
export const partSizeOf = (size: number): number =>
  Math.max(PART_BYTES, Math.ceil(size / MAX_PARTS / MEBIBYTE) * MEBIBYTE);

/** Returns the numbers, starting at 1, and sizes of a file's parts. */
export function partsOf(size: number): { readonly number: number; readonly size: number }[] {
  const partSize = partSizeOf(size);
  const count = Math.max(1, Math.ceil(size / partSize));
  return Array.from({ length: count }, (_, at) => ({ number: at + 1, size: Math.min(partSize, size - at * partSize) }));
}
