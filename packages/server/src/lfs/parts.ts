const MEBIBYTE = 1024 * 1024;

/** Larger files go in parts where the client can do that: what breaks off costs one part. */
export const PARTS_FROM_BYTES = 1024 * MEBIBYTE;
const PART_BYTES = 64 * MEBIBYTE;
/** S3 takes no more. */
const MAX_PARTS = 10_000;

/** The size of all parts of a file but the last, which may be smaller. */
export const partSizeOf = (size: number): number =>
  Math.max(PART_BYTES, Math.ceil(size / MAX_PARTS / MEBIBYTE) * MEBIBYTE);

/** The parts of a file, from 1 on, with their sizes. */
export function partsOf(size: number): { readonly number: number; readonly size: number }[] {
  const partSize = partSizeOf(size);
  const count = Math.max(1, Math.ceil(size / partSize));
  return Array.from({ length: count }, (_, at) => ({ number: at + 1, size: Math.min(partSize, size - at * partSize) }));
}
