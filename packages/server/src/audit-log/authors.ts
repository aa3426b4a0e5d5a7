import type { Actor } from '../platform/http/actor.ts';

/** Who did something: a caller, or somebody who acts without a token: the operator, or a user with a one-time link. */
export interface AuditAuthor extends Pick<Actor, 'address' | 'userAgent'> {
  readonly principal: Omit<Actor['principal'], 'token'> & { readonly token?: Actor['principal']['token'] | undefined };
}

/** The id of authors who are no accounts. */
export const SYSTEM_ID = '0'.repeat(24);

/** The operator, who works on the database with a command. */
export const operatorWith = (command: string): AuditAuthor => ({
  principal: { userId: SYSTEM_ID, userName: 'operator' },
  address: '',
  userAgent: command,
});

/** Somebody who calls without credentials. */
export const anybodyAt = ({ address, userAgent }: Pick<AuditAuthor, 'address' | 'userAgent'>): AuditAuthor => ({
  principal: { userId: SYSTEM_ID, userName: 'anybody' },
  address,
  userAgent,
});

/** A user who has proved who they are by other means than a token or a session, such as a one-time link. */
export const userAt = (
  { id, name }: { readonly id: string; readonly name: string },
  { address, userAgent }: Pick<AuditAuthor, 'address' | 'userAgent'>,
): AuditAuthor => ({ principal: { userId: id, userName: name }, address, userAgent });
