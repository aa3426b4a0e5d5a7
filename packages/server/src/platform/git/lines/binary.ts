/** The number of bytes that git inspects as well. */
const INSPECTED_BYTES = 8000;

/** Returns whether bytes are binary: NUL is among the first ones. */
export const isBinary = (body: Buffer): boolean => body.subarray(0, INSPECTED_BYTES).includes(0);
