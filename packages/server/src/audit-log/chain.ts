import { createHash } from 'node:crypto';

/*
 * What makes the log of an organization hard to change unnoticed. This file has no imports of ours: the command line
 * holds exports against the same rules.
 */

/** What stands for the hash before the first event. */
export const NO_HASH = '0'.repeat(64);

/** What of an event never changes, and is hashed; `data`, `ip` and `token` only where there are any. */
export interface Sealed {
  readonly _id: string;
  readonly author: { readonly _id: string; readonly user: string };
  readonly createdAt: string;
  readonly data?: unknown;
  readonly ip?: string | undefined;
  readonly message: string;
  readonly token?: { readonly id: string } | undefined;
  readonly type: string;
}

/** JSON without blanks, the keys of every object in the order of their UTF-16 code units (RFC 8785). */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, item]) => `${JSON.stringify(key)}:${canonicalText(item)}`).join(',')}}`;
}

/** The canonical text of an event as it was written, or as an export shows it. */
export function sealedText({ _id, author, createdAt, data, ip, message, token, type }: Sealed): string {
  return canonicalText({
    _id,
    author: { _id: author._id, user: author.user },
    createdAt,
    ...(data !== undefined && { data }),
    ...(ip !== undefined && { ip }),
    message,
    ...(token && { token: { id: token.id } }),
    type,
  });
}

/** SHA-256 of the hash before, a line feed and the canonical text of the event, in hexadecimal digits. */
export const linkHash = (previous: string, text: string): string =>
  createHash('sha256').update(`${previous}\n${text}`).digest('hex');
