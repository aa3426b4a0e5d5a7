import { randomBytes } from 'node:crypto';
import type { Executor } from '../../platform/database/transaction.ts';
import type { Events } from '../../platform/events/events.ts';
import { conflict } from '../../platform/http/errors.ts';
import type { Signer } from '../../platform/secrets.ts';
import { signInTopic } from '../events.ts';
import type { LinkMaking } from './link-making.ts';

interface Dependencies {
  /** Whether the hub mails links: there is a mail server, and the operator has said where the hub is. */
  readonly on: boolean;
  readonly signer: Signer;
  readonly events: Events;
  readonly making: LinkMaking;
}

export type MailedLinks = ReturnType<typeof createMailedLinks>;

/**
 * Links that go by mail. The database has a random nonce only; the code is its signature, so that a mail can be written
 * later and a copy of the database opens nothing. What a caller says in `Host` decides nothing about where a link leads.
 */
export function createMailedLinks({ on, signer, events, making }: Dependencies) {
  const codeFrom = (nonce: string): string => signer.sign(`link.${nonce}`);
  return {
    on,
    codeFrom,

    /** Throws 409 where the hub mails no links. */
    require(): void {
      if (!on) throw conflict('This hub mails no links; ask a site administrator');
    },

    /** Makes a link, and has it mailed. */
    async send(tx: Executor, wanted: Parameters<LinkMaking['signed']>[1]): Promise<void> {
      const nonce = randomBytes(16).toString('base64url');
      const linkHash = await making.signed(tx, wanted, { code: codeFrom(nonce), nonce });
      await events.record(tx, signInTopic, { action: 'link', userId: wanted.userId, linkHash });
    },
  };
}
