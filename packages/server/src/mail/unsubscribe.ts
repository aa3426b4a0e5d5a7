import type { Database, Executor } from '../platform/database/transaction.ts';
import { notFound } from '../platform/http/errors.ts';
import type { Signer } from '../platform/secrets.ts';
import { isOptional, type OptionalKind } from './policy.ts';

interface Dependencies {
  readonly database: Database;
  readonly signer: Signer;
  /** Turns one kind of mail off for a user. */
  readonly turnOff: (tx: Executor, userId: string, kind: OptionalKind) => Promise<void>;
}

export type Unsubscribing = ReturnType<typeof createUnsubscribing>;

/**
 * Links that turn one kind of mail off for one user, without signing in: their token says both, signed by the hub. It
 * does nothing else and does not end, as mails are kept for long.
 */
export function createUnsubscribing({ database, signer, turnOff }: Dependencies) {
  function open(token: string): { userId: string; kind: OptionalKind } {
    const [userId = '', kind = '', signature = ''] = token.split('.');
    if (!signer.verify(`${userId}.${kind}`, signature) || !isOptional(kind))
      throw notFound('This link is not complete; open the one in the mail again');
    return { userId, kind };
  }

  return {
    /** The address for a kind; undefined for what cannot be turned off. */
    url(hubUrl: string, userId: string, kind: string): string | undefined {
      if (!isOptional(kind)) return undefined;
      const statement = `${userId}.${kind}`;
      return `${hubUrl}/unsubscribe/${statement}.${signer.sign(statement)}`;
    },

    /** The kind that a token is about; 404 for what this hub did not sign. */
    kindOf: (token: string): OptionalKind => open(token).kind,

    async unsubscribe(token: string): Promise<OptionalKind> {
      const { userId, kind } = open(token);
      await database.transaction((tx) => turnOff(tx, userId, kind));
      return kind;
    },
  };
}
