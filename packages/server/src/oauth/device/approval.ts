import type { DeviceLogin } from '@moonbase/contract/oauth/consent';
import { type Clock, timestamp } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/transaction.ts';
import type { Events } from '../../platform/events/events.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { notFound } from '../../platform/http/errors.ts';
import { parseJson } from '../../platform/stored-form.ts';
import type { AttemptLimit } from '../../sign-in/index.ts';
import { type App, isOwnApp, shownApp } from '../apps/app.ts';
import { findClient } from '../apps/clients.ts';
import { updateCode } from '../code-store.ts';
import { requireRecentSignIn, requireSession } from '../consent-rules.ts';
import { grantTopic } from '../events.ts';
import { type Grants, organizationChoices } from '../grants/service.ts';
import { shownScopes } from '../scopes.ts';
import type { CodeRow } from '../tables.ts';
import { findWaiting, lockWaiting } from './device-code-store.ts';
import { userCodeHash } from './user-code.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly events: Events;
  readonly grants: Grants;
  /** Counts unknown codes, by session and by address. */
  readonly attempts: AttemptLimit;
}

interface Decision {
  readonly userCode: string;
  readonly decision: 'allow' | 'deny';
  readonly organizations: readonly string[];
}

const unknown = () => notFound('No program is waiting for this code: it has expired, was used, or was mistyped');

export type DeviceApproval = ReturnType<typeof createDeviceApproval>;

/** What a signed-in user sees and decides about a program's pending login. */
export function createDeviceApproval({ database, clock, events, grants, attempts }: Dependencies) {
  const subjectsOf = ({ principal, address }: Caller) =>
    attempts.subjects({ session: principal.session?.id ?? '', address });

  /**
   * Returns the pending login of a code with its application. Throws and counts 404 for an unknown code; 429 after too
   * many.
   */
  async function requireWaiting(caller: Caller, typed: string): Promise<{ readonly code: CodeRow; readonly app: App }> {
    requireSession(caller);
    await attempts.requireOpen(subjectsOf(caller));
    const code = await findWaiting(database.read, userCodeHash(typed), clock.now());
    const app = code && (await findClient(database.read, code.client_id));
    if (app) return { code, app };
    await attempts.failed(subjectsOf(caller));
    throw unknown();
  }

  return {
    async find(caller: Caller, userCode: string): Promise<DeviceLogin> {
      const { code, app } = await requireWaiting(caller, userCode);
      return {
        application: shownApp(app),
        scopes: shownScopes(parseJson(code.scopes)),
        organizations: await organizationChoices(database.read, caller.principal.userId, () => isOwnApp(app)),
        address: code.address,
        ...(code.user_agent !== null && { userAgent: code.user_agent }),
        createdAt: timestamp(code.created_at),
        expiresAt: timestamp(code.expires_at),
      };
    },

    async decide(caller: Caller, { userCode, decision, organizations }: Decision): Promise<void> {
      const { app } = await requireWaiting(caller, userCode);
      requireRecentSignIn(caller, clock.now());
      await database.transaction(async (tx) => {
        const code = await lockWaiting(tx, userCodeHash(userCode), clock.now());
        if (!code) throw unknown();
        if (decision === 'deny') return updateCode(tx, code.hash, { status: 'denied' });
        const { address, user_agent: userAgent } = code;
        const scopes = parseJson(code.scopes);
        const grantId = await grants.create(tx, caller, { app, scopes, organizations, address, userAgent });
        await updateCode(tx, code.hash, { status: 'approved', grant_id: grantId });
        const { userId } = caller.principal;
        const { clientId, name } = app;
        await events.record(tx, grantTopic, { action: 'device', userId, clientId, name, address });
      });
    },
  };
}
