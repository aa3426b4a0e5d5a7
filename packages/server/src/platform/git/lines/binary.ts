/** So many bytes are looked at, as git does. */
const LOOKED_AT = 8000;

/** Returns whether bytes are no text: one of the first ones is NUL. */
export const isBinary = (body: Buffer): boolean => body.subarray(0, LOOKED_AT).includes(0);
