import { randomBytes } from 'node:crypto';
import type { Executor } from '../../platform/database/transaction.ts';
import type { Events } from '../../platform/events/events.ts';
import { conflict } from '../../platform/http/errors.ts';
import type { Signer } from '../../platform/secrets.ts';
import { signInTopic } from '../events.ts';
import type { LinkMaking } from './link-making.ts';

interface Dependencies {
  /** Whether the hub mails links, which needs a mail server and a configured URL of the hub. */
  readonly isOn: boolean;
  readonly signer: Signer;
  readonly events: Events;
  readonly making: LinkMaking;
}

export type MailedLinks = ReturnType<typeof createMailedLinks>;

/**
 * Links sent by mail. The database contains only a random nonce, whose signature is the code: a mail can be written
 * later, and a copy of the database opens no link. The `Host` header of a request never decides where a link leads.
 */
export function createMailedLinks({ isOn, signer, events, making }: Dependencies) {
  const codeFrom = (nonce: string): string => signer.sign(`link.${nonce}`);
  return {
    isOn,
    codeFrom,

    /** Throws 409 if the hub mails no links. */
    require(): void {
      if (!isOn) throw conflict('This hub does not send links by mail; ask a site administrator');
    },

    /** Creates a link and records an event that mails it. */
    async send(tx: Executor, link: Parameters<LinkMaking['createDerived']>[1]): Promise<void> {
      const nonce = randomBytes(16).toString('base64url');
      const linkHash = await making.createDerived(tx, link, { code: codeFrom(nonce), nonce });
      await events.record(
        tx,
        signInTopic,
        link.purpose === 'sign-up'
          ? { action: 'sign-up', linkHash }
          : { action: 'link', userId: link.userId, linkHash },
      );
    },
  };
}
