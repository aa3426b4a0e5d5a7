/** What a call of a client comes to: without `refused` it works, otherwise it fails with a text that has these words. */
export interface Expected {
  readonly refused?: string | undefined;
}

/** Returns whether a call came to what is expected; `failure` is its text, or undefined if it worked. */
export const isAsExpected = ({ refused }: Expected, failure: string | undefined): boolean =>
  refused === undefined ? failure === undefined : failure?.includes(refused) === true;

/** Returns the row of a page about what a call of a client comes to. */
export const rowOf = (call: string, expected: Expected): string =>
  rowAbout(call, expected.refused === undefined ? 'works' : `fails: \`${expected.refused}\``);

export const rowAbout = (call: string, text: string): string => `| \`${call.replaceAll('|', '\\|')}\` | ${text} |`;

/** Returns a page of the documentation with a row for each call of a client. */
export const pageOf = (introduction: string, heading: string, rows: readonly string[]): string =>
  `${introduction}\n\n| ${heading} | here |\n|---|---|\n${rows.join('\n')}\n`;
