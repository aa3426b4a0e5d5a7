import { createHash } from 'node:crypto';
import { scimError } from '../errors.ts';

/** Returns the weak entity tag of a resource (RFC 7644, 3.14). */
export const versionOf = (resource: object): string =>
  `W/"${createHash('sha256').update(JSON.stringify(resource)).digest('base64url').slice(0, 22)}"`;

/** Throws 412 if the header `If-Match` names other versions only. */
export function ifMatch(header: string | undefined, version: string): void {
  if (header === undefined || listed(header).includes(bare(version)) || header.trim() === '*') return;
  throw scimError(412, 'The resource has changed since; read it again');
}

const listed = (header: string): string[] => header.split(',').map(bare);
const bare = (tag: string): string => tag.trim().replace(/^W\//, '');
