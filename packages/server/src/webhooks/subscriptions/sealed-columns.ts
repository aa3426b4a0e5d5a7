import { opens, type SealedAt, type SecretBox } from '../../platform/secrets.ts';
import type { WebhookRow } from '../tables.ts';
import { sealedAt } from './policy.ts';

/** How long the old secret of a webhook signs beside the new one. */
const OVERLAP_MS = 24 * 60 * 60 * 1000;

/** Returns the value sealed for another place; null where the value is missing or does not open. */
export const resealed = (secretBox: SecretBox, sealed: string | null, from: SealedAt, to: SealedAt): string | null =>
  sealed !== null && opens(secretBox, sealed, from) ? secretBox.seal(secretBox.open(sealed, from), to) : null;

/** Returns the columns of a secret that a caller gives: undefined keeps the secret, an empty text removes it. */
export function secretColumns(secretBox: SecretBox, id: string, secret: string | undefined): Partial<WebhookRow> {
  if (secret === undefined) return {};
  const sealed = secret === '' ? null : secretBox.seal(secret, sealedAt('secret', id));
  return { secret: sealed, old_secret: null, old_secret_until: null };
}

/** Returns the columns of a webhook whose secret is rotated: for a day the old secret signs as well. */
export function rotatedColumns(
  secretBox: SecretBox,
  { id, secret: before }: Pick<WebhookRow, 'id' | 'secret'>,
  secret: string,
  now: number,
): Partial<WebhookRow> {
  const old = resealed(secretBox, before, sealedAt('secret', id), sealedAt('old_secret', id));
  return {
    secret: secretBox.seal(secret, sealedAt('secret', id)),
    old_secret: old,
    old_secret_until: old === null ? null : now + OVERLAP_MS,
  };
}
