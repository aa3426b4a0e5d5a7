import { damaged } from '../fault.ts';

interface ParsedHeaders {
  /** Lines of the form `name value` in order; continuation lines are omitted. */
  readonly lines: readonly (readonly [name: string, value: string])[];
  readonly message: string;
}

/** Parses the format of commits and tags: header lines, an empty line, a message. */
export function parseHeaders(body: Buffer): ParsedHeaders {
  const end = body.indexOf('\n\n');
  const head = body.toString('utf8', 0, end < 0 ? body.length : end);
  const lines = head
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith(' '))
    .map((line) => {
      const space = line.indexOf(' ');
      return [space < 0 ? line : line.slice(0, space), space < 0 ? '' : line.slice(space + 1)] as const;
    });
  const encoding = lines.find(([name]) => name === 'encoding')?.[1];
  const latin = encoding !== undefined && /^(iso-?8859-1|latin-?1)$/i.test(encoding);
  return { lines, message: end < 0 ? '' : body.toString(latin ? 'latin1' : 'utf8', end + 2) };
}

/** Returns the value of a required header. */
export function headerValue({ lines }: ParsedHeaders, name: string): string {
  const found = lines.find(([key]) => key === name);
  if (!found) throw damaged(`An object has no header ${name}`);
  return found[1];
}
