import { damaged } from '../fault.ts';
import { headerValue, parseHeaders } from './headers.ts';
import { OBJECT_ID } from './object.ts';
import { encodePerson, type Person, parsePerson } from './person.ts';

export interface Commit {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: Person;
  readonly committer: Person;
  readonly message: string;
}

/** Returns a message as git stores it: with one newline at the end and without NUL. */
const storedMessage = (message: string): string => `${message.replaceAll('\0', '').trimEnd()}\n`;

export const encodeCommit = ({ tree, parents, author, committer, message }: Commit): Buffer =>
  Buffer.from(
    [
      `tree ${tree}`,
      ...parents.map((parent) => `parent ${parent}`),
      `author ${encodePerson(author)}`,
      `committer ${encodePerson(committer)}`,
      '',
      storedMessage(message),
    ].join('\n'),
  );

/** Parses a stored commit. Throws if the format is invalid. */
export function parseCommit(body: Buffer): Commit {
  const headers = parseHeaders(body);
  const tree = headerValue(headers, 'tree');
  const parents = headers.lines.filter(([name]) => name === 'parent').map(([, value]) => value);
  if (![tree, ...parents].every((id) => OBJECT_ID.test(id)))
    throw damaged('A commit names an object without a valid id');
  return {
    tree,
    parents,
    author: parsePerson(headerValue(headers, 'author')),
    committer: parsePerson(headerValue(headers, 'committer')),
    message: headers.message,
  };
}
