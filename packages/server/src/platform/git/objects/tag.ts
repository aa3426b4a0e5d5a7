import { damaged } from '../fault.ts';
import { headerValue, parseHeaders } from './headers.ts';
import { OBJECT_ID, OBJECT_TYPES, type ObjectType } from './object.ts';
import { encodePerson, type Person } from './person.ts';

export interface Tag {
  readonly object: string;
  readonly type: ObjectType;
  readonly name: string;
  readonly tagger: Person;
  readonly message: string;
}

export const encodeTag = ({ object, type, name, tagger, message }: Tag): Buffer =>
  Buffer.from(
    `object ${object}\ntype ${type}\ntag ${name}\ntagger ${encodePerson(tagger)}\n\n${message.replaceAll('\0', '').trimEnd()}\n`,
  );

/** Parses an annotated tag. Throws if the format is invalid. */
export function parseTag(body: Buffer): Pick<Tag, 'object' | 'type' | 'message'> {
  const headers = parseHeaders(body);
  const object = headerValue(headers, 'object');
  const type = OBJECT_TYPES.find((each) => each === headerValue(headers, 'type'));
  if (!OBJECT_ID.test(object) || !type) throw damaged('A tag does not name an object');
  return { object, type, message: headers.message };
}
