import { createHash } from 'node:crypto';

const made = new Map<number, string>();

/** Returns this number of letters and digits, always the same and hardly compressible. */
export function longText(length: number): string {
  const known = made.get(length);
  if (known !== undefined) return known;
  let text = '';
  for (let part = 0; text.length < length; part++) text += createHash('sha512').update(String(part)).digest('hex');
  made.set(length, text.slice(0, length));
  return text.slice(0, length);
}

/** A URL cannot contain a lone surrogate. */
export const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, '\ufffd');
