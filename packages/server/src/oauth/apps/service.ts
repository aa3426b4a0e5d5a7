import { randomBytes } from 'node:crypto';
import type { Application, ApplicationChange, NewApplication } from '@moonbase/contract/oauth/applications';
import { lockAccount } from '../../accounts/index.ts';
import { type Clock, timestamp } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/transaction.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { badRequest, conflict, notFound } from '../../platform/http/errors.ts';
import type { Ids } from '../../platform/ids.ts';
import { sha256 } from '../../platform/secrets.ts';
import { parseJson, toJson } from '../../platform/stored-form.ts';
import type { AppRow } from '../tables.ts';
import { appsOf, deleteApp, insertApp, updateApp } from './app-store.ts';
import { redirectFault } from './redirects.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
}

const MAX_APPS = 50;

const missingApp = () => notFound('You have no such application');

export type Applications = ReturnType<typeof createApplications>;

/** The applications that users register. */
export function createApplications({ database, clock, ids }: Dependencies) {
  return {
    list: async ({ principal }: Caller): Promise<Application[]> =>
      (await appsOf(database.read, principal.userId)).map(present),

    create: ({ principal: { userId } }: Caller, given: NewApplication) =>
      database.transaction(async (tx) => {
        requireRedirects(given.redirectUris);
        await lockAccount(tx, userId);
        if ((await appsOf(tx, userId)).length >= MAX_APPS)
          throw conflict(`You have ${MAX_APPS} applications, which is the limit; delete one that nobody uses`);
        const clientSecret = given.confidential ? randomBytes(32).toString('base64url') : undefined;
        const row: AppRow = {
          client_id: ids(),
          owner_id: userId,
          name: given.name,
          secret_hash: clientSecret === undefined ? null : sha256(clientSecret),
          redirects: toJson(given.redirectUris),
          scopes: toJson([...new Set(given.scopes)]),
          token_minutes: given.tokenMinutes,
          created_at: clock.now(),
        };
        await insertApp(tx, row);
        return { ...present(row), ...(clientSecret !== undefined && { clientSecret }) };
      }),

    update: ({ principal }: Caller, clientId: string, change: ApplicationChange): Promise<Application> =>
      database.transaction(async (tx) => {
        const { name, redirectUris, scopes, tokenMinutes } = change;
        requireRedirects(redirectUris ?? []);
        const row = await updateApp(
          tx,
          { ownerId: principal.userId, clientId },
          {
            // An update needs at least one column, even if nothing changes.
            client_id: clientId,
            ...(name !== undefined && { name }),
            ...(redirectUris && { redirects: toJson(redirectUris) }),
            ...(scopes && { scopes: toJson([...new Set(scopes)]) }),
            ...(tokenMinutes !== undefined && { token_minutes: tokenMinutes }),
          },
        );
        if (!row) throw missingApp();
        return present(row);
      }),

    /** Deletes an application. Its grants are no longer found without the application, and are deleted later. */
    delete: ({ principal }: Caller, clientId: string): Promise<void> =>
      database.transaction(async (tx) => {
        if (!(await deleteApp(tx, principal.userId, clientId))) throw missingApp();
      }),
  };
}

function requireRedirects(redirectUris: readonly string[]): void {
  for (const [at, uri] of redirectUris.entries()) {
    const fault = redirectFault(uri);
    if (fault !== undefined) throw badRequest(`body.redirectUris.${at}: ${fault}`);
  }
}

const present = (row: AppRow): Application => ({
  clientId: row.client_id,
  name: row.name,
  redirectUris: [...parseJson(row.redirects)],
  scopes: [...parseJson(row.scopes)],
  tokenMinutes: row.token_minutes,
  confidential: row.secret_hash !== null,
  createdAt: timestamp(row.created_at),
});
