/** Parses claims from a text with one `name = value` per line. */
export function claimsIn(text: string): Record<string, string> {
  const lines = text.split('\n').map((line) => /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(line));
  return Object.fromEntries(lines.flatMap((found) => (found?.[1] && found[2] ? [[found[1], found[2]] as const] : [])));
}
