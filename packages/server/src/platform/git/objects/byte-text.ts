/**
 * A name in a tree as text with one character per byte. Names are bytes that need not be UTF-8; this form preserves
 * them and compares as git does.
 */
export type ByteText = string;

export const toByteText = (text: string): ByteText => Buffer.from(text, 'utf8').toString('latin1');

/** Decodes a name; bytes that are not UTF-8 become replacement characters. */
export const fromByteText = (bytes: ByteText): string => Buffer.from(bytes, 'latin1').toString('utf8');
