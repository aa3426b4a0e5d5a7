import type { NewSecondFactor, SecondFactor } from '@moonbase/contract/sign-in/second-factors';
import { type Account, findAccountById, lockAccount } from '../../accounts/index.ts';
import { type AuditLog, recordForSite } from '../../audit-log/index.ts';
import type { Database, Executor } from '../../platform/database/transaction.ts';
import type { Events } from '../../platform/events/events.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { conflict } from '../../platform/http/errors.ts';
import { secondFactorTopic } from '../events.ts';
import type { Proof } from '../proof.ts';
import type { Sessions } from '../sessions/service.ts';
import { deleteFactors, findFactor } from './factor-store.ts';
import { MESSAGES } from './messages.ts';
import { type FactorSetUp, renewRecoveryCodes } from './set-up.ts';
import { stateOf } from './state.ts';

interface Dependencies {
  readonly database: Database;
  readonly events: Events;
  readonly audit: AuditLog;
  readonly sessions: Sessions;
  readonly proof: Proof;
  readonly setUp: FactorSetUp;
  /** Returns whether a user must have a second factor. */
  readonly isFactorRequired: (user: Pick<Account, 'site_admin'>) => boolean;
}

export type OwnSecondFactor = ReturnType<typeof createOwnSecondFactor>;

/** The second factor of the caller: every change needs a recent sign-in and ends the other sessions. */
export function createOwnSecondFactor(given: Dependencies) {
  const { database, events, audit, sessions, proof, setUp, isFactorRequired } = given;

  type Change = keyof typeof MESSAGES;

  /** Ends the other sessions of the caller, and records an event that informs the caller by mail. */
  async function recordChange(tx: Executor, caller: Caller, action: Change): Promise<void> {
    const { userId, session } = caller.principal;
    await sessions.endAll(tx, userId, session?.id);
    await events.record(tx, secondFactorTopic, { action, userId });
    await recordForSite(audit, tx, caller, { type: 'user.second_factor', message: MESSAGES[action], data: { action } });
  }

  return {
    get: ({ principal }: Caller): Promise<SecondFactor> => stateOf(database.read, principal.userId),

    /** Creates a secret, which becomes valid once it is confirmed; the current factor stays valid until then. */
    async begin(caller: Caller): Promise<NewSecondFactor> {
      proof.requireRecent(caller);
      const { userId, userName } = caller.principal;
      return database.transaction(async (tx) => {
        await lockAccount(tx, userId);
        return setUp.begin(tx, { id: userId, name: userName }, caller.hubUrl);
      });
    },

    /** Confirms the new secret with its first code. Returns the recovery codes, which are shown only once. */
    async confirm(caller: Caller, typed: string): Promise<string[]> {
      proof.requireSession(caller);
      const { userId } = caller.principal;
      return database.transaction(async (tx) => {
        await lockAccount(tx, userId);
        const hadFactor = (await findFactor(tx, userId)) !== undefined;
        const codes = await setUp.confirm(tx, userId, typed);
        await recordChange(tx, caller, hadFactor ? 'renewed' : 'on');
        return codes;
      });
    },

    /** Replaces the recovery codes. */
    async renewCodes(caller: Caller): Promise<string[]> {
      proof.requireRecent(caller);
      const { userId } = caller.principal;
      return database.transaction(async (tx) => {
        await lockAccount(tx, userId);
        if (!(await findFactor(tx, userId))) throw conflict('You have no second factor');
        await recordChange(tx, caller, 'codes-renewed');
        return renewRecoveryCodes(tx, userId);
      });
    },

    /** Throws 409 for a user who has no second factor or must have one. */
    async disable(caller: Caller): Promise<void> {
      proof.requireRecent(caller);
      const { userId } = caller.principal;
      await database.transaction(async (tx) => {
        await lockAccount(tx, userId);
        const user = await findAccountById(tx, userId);
        if (user && isFactorRequired(user))
          throw conflict('This hub requires you to have a second factor; set up another authenticator instead');
        if (!(await deleteFactors(tx, userId))) throw conflict('You have no second factor');
        await recordChange(tx, caller, 'off');
      });
    },
  };
}
