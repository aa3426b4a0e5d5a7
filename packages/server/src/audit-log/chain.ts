import { createHash } from 'node:crypto';

/*
 * The hash chain that makes changes to the log of an organization detectable. This file imports nothing from the hub,
 * because the command line verifies exports with the same rules.
 */

/** Takes the place of the hash before the first event. */
export const NO_HASH = '0'.repeat(64);

/** An event as recorded or as exported; exports also contain its place in the chain and current data. */
export interface Sealed {
  readonly _id: string;
  readonly author: { readonly _id: string; readonly user: string };
  readonly createdAt: string;
  readonly data?: unknown;
  readonly ip?: string | undefined;
  readonly message: string;
  readonly oauth?: { readonly clientId: string; readonly name?: string | undefined } | undefined;
  readonly token?: { readonly id: string } | undefined;
  readonly type: string;
}

/** The parts of an event that are not hashed: its place in the chain, and current data about its author and token. */
const CHAIN_FIELDS = ['seq', 'prevHash', 'hash'];
const CURRENT_AUTHOR_FIELDS = ['avatarUrl', 'type', 'deleted'];
const CURRENT_TOKEN_FIELDS = ['type', 'deleted'];

/** Serializes JSON without whitespace, with the keys of objects ordered by UTF-16 code units (RFC 8785). */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, item]) => `${JSON.stringify(key)}:${canonicalText(item)}`).join(',')}}`;
}

const without = (object: object, names: readonly string[]) =>
  Object.fromEntries(Object.entries(object).filter(([name, value]) => value !== undefined && !names.includes(name)));

/** Returns the canonical text of the immutable parts of a recorded or exported event. */
export const sealedText = (event: Sealed): string =>
  canonicalText({
    ...without(event, CHAIN_FIELDS),
    author: without(event.author, CURRENT_AUTHOR_FIELDS),
    ...(event.token && { token: without(event.token, CURRENT_TOKEN_FIELDS) }),
  });

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * Returns the SHA-256 of three lines: the version of the chain, the previous hash and the canonical text of the event,
 * in hexadecimal. The version prevents collisions between events of different versions.
 */
export const linkHash = (previous: string, text: string): string => sha256(`2\n${previous}\n${text}`);

/**
 * Returns the hash of an event in the first version of the chain, which lacks user agent, location and role of the
 * token.
 */
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
