/** The length of a hash in bytes. */
export const HASH_BYTES = 32;

/**
 * Returns the text of a hash in URLs and JSON: four little-endian 64-bit numbers in hexadecimal (Xet specification,
 * api.md).
 */
export const textOfHash = (hash: Uint8Array): string => Buffer.from(hash).swap64().toString('hex');

/** Returns the hash of a text of 64 hexadecimal characters. */
export const hashOfText = (text: string): Buffer => Buffer.from(text, 'hex').swap64();

/** Returns whether clients ask for chunks with this hash: one in 1024 (Xet specification, deduplication.md). */
export const isAskedFor = (hash: Uint8Array): boolean => hash[24] === 0 && ((hash[25] ?? 0) & 3) === 0;
