import { createHash } from 'node:crypto';

/*
 * What makes the log of an organization hard to change unnoticed. This file has no imports of ours: the command line
 * holds exports against the same rules.
 */

/** What stands for the hash before the first event. */
export const NO_HASH = '0'.repeat(64);

/** An event as it is recorded, or as an export shows it: then also with its place in the chain and with what holds now. */
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

/** What of an event is not hashed: its place in the chain, and what is true of its author and token now. */
const PLACE = ['seq', 'prevHash', 'hash'];
const AUTHOR_NOW = ['avatarUrl', 'type', 'deleted'];
const TOKEN_NOW = ['type', 'deleted'];

/** JSON without blanks, the keys of every object in the order of their UTF-16 code units (RFC 8785). */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, item]) => `${JSON.stringify(key)}:${canonicalText(item)}`).join(',')}}`;
}

const without = (object: object, names: readonly string[]) =>
  Object.fromEntries(Object.entries(object).filter(([name, value]) => value !== undefined && !names.includes(name)));

/** The canonical text of an event as it was written, or as an export shows it: of all that never changes. */
export const sealedText = (event: Sealed): string =>
  canonicalText({
    ...without(event, PLACE),
    author: without(event.author, AUTHOR_NOW),
    ...(event.token && { token: without(event.token, TOKEN_NOW) }),
  });

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * SHA-256 of the version of the chain, the hash before and the canonical text of the event, each on a line of its own, in
 * hexadecimal digits. No event of one version has the hash of an event of another.
 */
export const linkHash = (previous: string, text: string): string => sha256(`2\n${previous}\n${text}`);

/** The hash of an event as the first version of the chain made it: without user agent, location and role of the token. */
export const formerHash = (previous: string, { _id, author, createdAt, data, ip, message, token, type }: Sealed) =>
  sha256(
    `${previous}\n${canonicalText({
      _id,
      author: { _id: author._id, user: author.user },
      createdAt,
      ...(data !== undefined && { data }),
      ...(ip !== undefined && { ip }),
      message,
      ...(token && { token: { id: token.id } }),
      type,
    })}`,
  );
