import * as z from 'zod';
import { opens, type SecretBox } from '../platform/secrets.ts';
import { readStored } from '../platform/stored-form.ts';
import type { MirrorRow } from './tables.ts';

const at = (id: string) => ({ table: 'mirrors', column: 'token', id });

const Sealed = z.object({ url: z.string(), token: z.string() });

/** Seals a token together with the URL that it is for, so that no other URL gets it. */
export const sealToken = (box: SecretBox, { id, url, token }: { id: string; url: string; token: string }): string =>
  box.seal(JSON.stringify({ url, token }), at(id));

/** Returns the token of a mirror, or `unreadable` if its key is lost or it is for another URL. */
export function openToken(
  box: SecretBox,
  { id, url, token }: Pick<MirrorRow, 'id' | 'url' | 'token'>,
): { readonly token: string | undefined } | 'unreadable' {
  if (token === null) return { token: undefined };
  if (!opens(box, token, at(id))) return 'unreadable';
  const sealed = readStored(Sealed, JSON.parse(box.open(token, at(id))), 'The token of a mirror');
  return sealed.url === url ? { token: sealed.token } : 'unreadable';
}
