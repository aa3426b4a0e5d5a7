/** An error of a remote, with a sentence for people. */
export class RemoteFault extends Error {
  override name = 'RemoteFault';
}

const MAX_CHARACTERS = 300;

/** Returns a text of a remote in one bounded line, without control characters. */
export function plainText(text: string | Uint8Array): string {
  const given = typeof text === 'string' ? text : Buffer.from(text).toString('utf8');
  const line = given.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  if (line.length <= MAX_CHARACTERS) return line;
  // The cut must not leave half of a surrogate pair.
  return `${line.slice(0, MAX_CHARACTERS).replace(/[\ud800-\udbff]$/, '')}…`;
}
