import type { SecondFactor } from '@moonbase/contract/sign-in/second-factors';
import { findAccount, lockAccount, requireUser } from '../../accounts/index.ts';
import { type AuditLog, recordForSite } from '../../audit-log/index.ts';
import type { Database } from '../../platform/database/transaction.ts';
import type { Events } from '../../platform/events/events.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { conflict } from '../../platform/http/errors.ts';
import { secondFactorTopic } from '../events.ts';
import type { Sessions } from '../sessions/service.ts';
import { deleteFactors } from './factor-store.ts';
import { stateOf } from './state.ts';

interface Dependencies {
  readonly database: Database;
  readonly events: Events;
  readonly audit: AuditLog;
  readonly logger: { warn(details: object, message: string): void };
  readonly sessions: Sessions;
}

export type SecondFactorAdministration = ReturnType<typeof createSecondFactorAdministration>;

/** What site administrators see and change of other users' second factors. */
export function createSecondFactorAdministration({ database, events, audit, logger, sessions }: Dependencies) {
  return {
    async get(name: string): Promise<SecondFactor> {
      const user = requireUser(await findAccount(database.read, name), name);
      return stateOf(database.read, user.id);
    },

    /**
     * Removes the factor of a user who lost it, and ends all sessions. A mail informs the user, and the log of the hub
     * names the administrator.
     */
    async reset(caller: Caller, name: string): Promise<void> {
      const { userName: by } = caller.principal;
      const { requestId } = caller;
      const user = await database.transaction(async (tx) => {
        const found = requireUser(await findAccount(tx, name), name);
        await lockAccount(tx, found.id);
        if (!(await deleteFactors(tx, found.id))) throw conflict(`${found.name} has no second factor`);
        await sessions.endAll(tx, found.id);
        await events.record(tx, secondFactorTopic, { action: 'reset', userId: found.id, by });
        const message = `Removed the second factor of ${found.name}`;
        const data = { user: { _id: found.id, user: found.name }, action: 'reset' };
        await recordForSite(audit, tx, caller, { type: 'user.second_factor', message, data });
        return found;
      });
      logger.warn({ user: user.name, by, requestId }, 'a site administrator removed the second factor of a user');
    },
  };
}
