import type { Database, Executor } from '../platform/database/transaction.ts';
import { notFound } from '../platform/http/errors.ts';
import type { Signer } from '../platform/secrets.ts';
import { isOptional, type OptionalKind } from './policy.ts';

interface Dependencies {
  readonly database: Database;
  readonly signer: Signer;
  /** Turns a kind of mail off for a user. */
  readonly turnOff: (tx: Executor, userId: string, kind: OptionalKind) => Promise<void>;
}

export type Unsubscribing = ReturnType<typeof createUnsubscribing>;

/**
 * Makes and accepts links that turn one kind of mail off for one user without signing in (RFC 8058). The token of a link
 * names the user and the kind, is signed by the hub, and never expires, because people keep mails for years.
 */
export function createUnsubscribing({ database, signer, turnOff }: Dependencies) {
  /** Returns the user and the kind that a token names. Throws 404 for a token that this hub did not sign. */
  function readToken(token: string): { userId: string; kind: OptionalKind } {
    const [userId = '', kind = '', signature = ''] = token.split('.');
    if (!signer.verify(`${userId}.${kind}`, signature) || !isOptional(kind))
      throw notFound('This link is not complete; open the one in the mail again');
    return { userId, kind };
  }

  return {
    /** Returns the address that turns a kind off; undefined for a kind that cannot be turned off. */
    url(hubUrl: string, userId: string, kind: string): string | undefined {
      if (!isOptional(kind)) return undefined;
      const statement = `${userId}.${kind}`;
      return `${hubUrl}/unsubscribe/${statement}.${signer.sign(statement)}`;
    },

    /** Returns the kind that a token names. Throws 404 for a token that this hub did not sign. */
    kindOf: (token: string): OptionalKind => readToken(token).kind,

    /** Turns off the kind that a token names; returns it. */
    async unsubscribe(token: string): Promise<OptionalKind> {
      const { userId, kind } = readToken(token);
      await database.transaction((tx) => turnOff(tx, userId, kind));
      return kind;
    },
  };
}
