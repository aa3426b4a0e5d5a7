import type { InformingLogger } from '../logger.ts';

/** Where a request came from, and its id. */
interface Origin {
  readonly address: string;
  readonly requestId: string;
}

interface Refusal {
  /** What was presented: a password, an access token, or the answer of an OpenID provider. */
  readonly method: 'password' | 'token' | 'oidc' | 'link';
  /** Why, without any text that somebody has typed. */
  readonly reason: string;
  /** The name of the user, if there is such a user: what was typed may be a password. */
  readonly user?: string | undefined;
  readonly userId?: string | undefined;
  /** The last four characters of the access token. */
  readonly token?: string | undefined;
}

type Acceptance = Pick<Refusal, 'method' | 'user' | 'userId'>;

export type AuthenticationLog = ReturnType<typeof createAuthenticationLog>;

/**
 * Tells the log who signed in and who was refused, for people and for programs that ban addresses. The address comes
 * first and the message never changes: deploy/fail2ban finds both in the line.
 */
export const createAuthenticationLog = (logger: InformingLogger) => ({
  refused: ({ address, requestId }: Origin, { method, reason, user, userId, token }: Refusal): void =>
    logger.warn({ address, method, reason, user, userId, token, requestId }, 'authentication failed'),

  accepted: ({ address, requestId }: Origin, { method, user, userId }: Acceptance): void =>
    logger.info({ address, method, user, userId, requestId }, 'signed in'),
});
