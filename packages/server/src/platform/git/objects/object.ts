import { createHash, webcrypto } from 'node:crypto';
import { damaged } from '../fault.ts';

export const OBJECT_TYPES = ['commit', 'tree', 'blob', 'tag'] as const;
export type ObjectType = (typeof OBJECT_TYPES)[number];

export interface GitObject {
  readonly type: ObjectType;
  readonly body: Buffer;
}

/** An object with its id, the SHA-1 of its header and body. */
export interface NamedObject extends GitObject {
  readonly id: string;
}

export const OBJECT_ID = /^[0-9a-f]{40}$/;

/** Larger bodies are hashed outside the event loop. */
const MAX_SYNC_BYTES = 64 * 1024;

export const headerOf = (type: ObjectType, size: number): Buffer => Buffer.from(`${type} ${size}\0`);

const isObjectType = (text: string): text is ObjectType => OBJECT_TYPES.some((type) => type === text);

/** Parses a header such as `blob 12`. Throws if it is invalid. */
export function parseHeader(text: string): { type: ObjectType; size: number } {
  const [type = '', digits = '', ...rest] = text.split(' ');
  if (!isObjectType(type) || !/^(0|[1-9]\d{0,15})$/.test(digits) || rest.length > 0)
    throw damaged('The header of an object is malformed');
  return { type, size: Number(digits) };
}

/** Computes the id of a small object synchronously. */
export const idOf = ({ type, body }: GitObject): string =>
  createHash('sha1').update(headerOf(type, body.length)).update(body).digest('hex');

export const withId = (object: GitObject): NamedObject => ({ ...object, id: idOf(object) });

/** Computes the id of an object; large bodies are hashed in a thread. */
export async function nameObject(object: GitObject): Promise<NamedObject> {
  const { type, body } = object;
  if (body.length <= MAX_SYNC_BYTES) return withId(object);
  const digest = await webcrypto.subtle.digest('SHA-1', Buffer.concat([headerOf(type, body.length), body]));
  return { ...object, id: Buffer.from(digest).toString('hex') };
}

/** Returns an object that was read. Throws a `GitFault` if its content does not match its id. */
export async function requireId(id: string, object: GitObject): Promise<NamedObject> {
  const named = await nameObject(object);
  if (named.id !== id) throw damaged(`The object ${id} is damaged`);
  return named;
}
