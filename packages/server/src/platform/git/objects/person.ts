import { damaged } from '../fault.ts';

/** The author of a commit or tag, with the time. */
export interface Person {
  readonly name: string;
  readonly email: string;
  /** In epoch milliseconds; git stores whole seconds. */
  readonly time: number;
}

/**
 * Removes characters that git forbids in names and addresses, and blanks and punctuation at both ends, which git
 * strips.
 */
const clean = (text: string): string => text.replace(/[\p{Cc}<>]+/gu, ' ').replace(/^[ .,:;"'\\]+|[ .,:;"'\\]+$/g, '');

export const encodePerson = ({ name, email, time }: Person): string =>
  `${clean(name) || 'unknown'} <${clean(email).replaceAll(' ', '')}> ${Math.max(0, Math.floor(time / 1000))} +0000`;

/** Parses the person in a header line. An invalid time counts as 0, as in git. */
export function parsePerson(line: string): Person {
  const match = /^(.*?) ?<([^<>]*)>(?: (\d{1,12}) [+-]\d{4})?/.exec(line);
  if (!match) throw damaged('The author of a commit or tag is malformed');
  const [, name = '', email = '', seconds = '0'] = match;
  return { name, email, time: Number(seconds) * 1000 };
}
