import { randomBytes } from 'node:crypto';
import type { Signer } from '../platform/secrets.ts';
import type { InvitationRow } from './tables.ts';

type Signed = Pick<InvitationRow, 'id' | 'nonce'>;

export type InvitationSecrets = ReturnType<typeof createInvitationSecrets>;

export const newNonce = (): string => randomBytes(16).toString('base64url');

/**
 * The secrets of invitations by mail. The database has a random nonce only; the secret is its signature, so that a mail
 * can be written later and a copy of the database accepts nothing.
 */
export function createInvitationSecrets(signer: Signer) {
  const statement = ({ id, nonce }: Signed) => `invitation.${id}.${nonce}`;
  const secretOf = (invitation: Signed): string => signer.sign(statement(invitation));
  return {
    secretOf,

    /** In constant time. */
    isSecretOf: (invitation: Signed, secret: string): boolean =>
      signer.verify(statement(invitation), secret) && invitation.nonce !== null,

    /** The page of the console that accepts it. What follows the # goes to no server and into no log. */
    linkOf: (hubUrl: string, invitation: Signed): string =>
      `${hubUrl}/organizations#invitation=${invitation.id}.${secretOf(invitation)}`,
  };
}
