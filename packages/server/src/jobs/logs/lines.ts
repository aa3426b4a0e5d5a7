/** The length at which lines are cut, so that output without line breaks has a log as well. */
export const MAX_LINE_BYTES = 16 * 1024;

/** The replacement for a secret. */
const HIDDEN = '***';
/** The length below which secrets are not hidden: hiding them would blank half of every log and protect nothing. */
const MIN_SECRET_LENGTH = 3;

/**
 * The texts to hide in a log: each line of each secret, as its bytes decoded as latin1. The longest come first, because
 * one may contain another.
 */
export function hiddenTexts(secrets: Readonly<Record<string, string>>): string[] {
  const texts = Object.values(secrets).flatMap((value) => value.split(/\r?\n/).map((line) => line.trim()));
  const bytes = texts
    .filter((text) => text.length >= MIN_SECRET_LENGTH)
    .map((text) => Buffer.from(text).toString('latin1'));
  return [...new Set(bytes)].sort((a, b) => b.length - a.length);
}

interface TakenLines {
  readonly lines: string[];
  /** How many bytes of the output these lines were. */
  readonly length: number;
}

/**
 * Takes the complete lines of some output and hides secrets in them; at the end also takes a line without a line break.
 */
export function takeLines(output: Buffer, hidden: readonly string[], atEnd: boolean): TakenLines {
  const text = output.toString('latin1');
  const longest = hidden[0]?.length ?? 0;
  const lines: string[] = [];
  let from = 0;
  while (from < text.length) {
    const newline = text.indexOf('\n', from);
    const end = newline < 0 ? text.length : newline;
    if (end - from > MAX_LINE_BYTES) {
      // A secret may begin before the cut and not be fully written yet.
      if (newline < 0 && !atEnd && end - from < MAX_LINE_BYTES + longest) break;
      const cut = cutAt(text, from, from + MAX_LINE_BYTES, hidden);
      lines.push(readable(text.slice(from, cut), hidden));
      from = cut;
      continue;
    }
    if (newline < 0 && !atEnd) break;
    lines.push(readable(text.slice(from, end).replace(/\r$/, ''), hidden));
    from = newline < 0 ? end : end + 1;
  }
  return { lines, length: from };
}

/** Returns where to cut a line: after a secret that the cut would divide, and never within a character. */
function cutAt(text: string, from: number, wanted: number, hidden: readonly string[]): number {
  for (const secret of hidden) {
    const at = text.indexOf(secret, Math.max(from, wanted - secret.length + 1));
    if (at >= 0 && at < wanted) return cutAt(text, from, at + secret.length, hidden);
  }
  let cut = wanted;
  while (cut > from + 1 && cut < text.length && (text.charCodeAt(cut) & 0xc0) === 0x80 && wanted - cut < 3) cut -= 1;
  return cut;
}

function readable(bytes: string, hidden: readonly string[]): string {
  const shown = hidden.reduce((text, secret) => text.replaceAll(secret, HIDDEN), bytes);
  // PostgreSQL's text type refuses NUL.
  return Buffer.from(shown, 'latin1').toString('utf8').replaceAll('\0', '\uFFFD');
}
