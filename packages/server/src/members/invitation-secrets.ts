import { randomBytes } from 'node:crypto';
import type { Signer } from '../platform/secrets.ts';
import type { InvitationRow } from './tables.ts';

type SignedColumns = Pick<InvitationRow, 'id' | 'nonce'>;

export type InvitationSecrets = ReturnType<typeof createInvitationSecrets>;

export const newNonce = (): string => randomBytes(16).toString('base64url');

/**
 * The secrets of invitations by mail. The database stores only a random nonce, and the secret is its signature: mails
 * can be written later, but a copy of the database is not enough to accept an invitation.
 */
export function createInvitationSecrets(signer: Signer) {
  const statement = ({ id, nonce }: SignedColumns) => `invitation.${id}.${nonce}`;
  const secretOf = (invitation: SignedColumns): string => signer.sign(statement(invitation));
  return {
    secretOf,

    /** Compares in constant time. */
    isSecretOf: (invitation: SignedColumns, secret: string): boolean =>
      signer.verify(statement(invitation), secret) && invitation.nonce !== null,

    /**
     * Returns the link to the console page that accepts an invitation. The part after the # is never sent to a server
     * or logged.
     */
    linkOf: (hubUrl: string, invitation: SignedColumns): string =>
      `${hubUrl}/organizations#invitation=${invitation.id}.${secretOf(invitation)}`,
  };
}
