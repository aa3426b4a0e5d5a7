import { findAccountById } from '../../accounts/index.ts';
import { type AuditLog, recordForSite } from '../../audit-log/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/transaction.ts';
import type { Events } from '../../platform/events/events.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { forbidden } from '../../platform/http/errors.ts';
import { signInTopic } from '../events.ts';
import type { Proof } from '../proof.ts';
import type { Sessions } from '../sessions/service.ts';
import type { Ways } from '../ways.ts';
import { putPassword } from './password-store.ts';
import type { Passwords } from './service.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly events: Events;
  readonly audit: AuditLog;
  readonly passwords: Passwords;
  readonly sessions: Sessions;
  readonly proof: Proof;
  readonly ways: Ways;
}

export type OwnPassword = ReturnType<typeof createOwnPassword>;

/** The password of the caller. */
export function createOwnPassword({ database, clock, events, audit, passwords, sessions, proof, ways }: Dependencies) {
  return {
    /** Sets the password, ends the other sessions, and tells the user by mail. */
    async set(
      caller: Caller,
      { password, current }: { readonly password: string; readonly current?: string | undefined },
    ): Promise<void> {
      const { userId } = caller.principal;
      const session = await proof.require(caller, current);
      const user = await findAccountById(database.read, userId);
      if (!user) throw forbidden('This account no longer exists');
      ways.requirePasswordOf(user);
      passwords.check(password, user);
      const hash = await passwords.hash(password);
      await database.transaction(async (tx) => {
        await putPassword(tx, { user_id: userId, hash, changed_at: clock.now() });
        await sessions.endAll(tx, userId, session.id);
        await events.record(tx, signInTopic, { action: 'password-changed', userId });
        await recordForSite(audit, tx, caller, { type: 'user.password', message: 'Set the password' });
      });
    },
  };
}
