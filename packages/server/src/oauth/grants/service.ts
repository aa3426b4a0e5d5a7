import { randomBytes } from 'node:crypto';
import type { OauthGrant } from '@moonbase/contract/oauth/grants';
import type { GrantedScope } from '@moonbase/contract/oauth/scopes';
import { membershipsOf } from '../../access/index.ts';
import {
  type Account,
  type Accounts,
  deleteToken,
  deleteTokensById,
  findAccount,
  findAccountsById,
  lockAccountById,
  requireUser,
  type TokenRow,
  tokensMadeBy,
} from '../../accounts/index.ts';
import { type AuditLog, recordForSite } from '../../audit-log/index.ts';
import { type Clock, timestamp } from '../../platform/clock.ts';
import { afterCommit, type Database, type Executor, type ReadExecutor } from '../../platform/database/transaction.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { badRequest, notFound } from '../../platform/http/errors.ts';
import type { Signals } from '../../platform/queue/signals.ts';
import { parseJson, toJson } from '../../platform/stored-form.ts';
import { type App, nameOfApp, shownApp } from '../apps/app.ts';
import { permissionsOf } from '../scopes.ts';
import type { GrantRow } from '../tables.ts';
import { findGrant, grantsOf, insertGrant } from './grant-store.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly accounts: Accounts;
  readonly audit: AuditLog;
  /** Makes open streams of a user look their caller up again. */
  readonly callers: Signals;
  /** Called for each new access token, in its transaction. */
  readonly onTokenCreated: (tx: Executor, caller: Caller, token: TokenRow) => Promise<void>;
}

/** The consent of a user. */
export interface Agreement {
  readonly app: App;
  readonly scopes: readonly GrantedScope[];
  /** The names of organizations in which the application may act as well. */
  readonly organizations: readonly string[];
  /** The address from which the program requested its code, or that of the browser. */
  readonly address: string;
  readonly userAgent: string | null;
}

type EndedGrant = Pick<GrantRow, 'id' | 'user_id'>;

/** The maximum number of grants in a list. */
const MAX_SHOWN = 1000;

export type Grants = ReturnType<typeof createGrants>;

/** The grants of users to applications. Behind each grant is an access token whose text nobody has. */
export function createGrants({ database, clock, accounts, audit, callers, onTokenCreated }: Dependencies) {
  /** Ends a grant because its program logs out; the access tokens that the program created stay. */
  async function logOut(tx: Executor, { id, user_id: userId }: EndedGrant): Promise<void> {
    await deleteToken(tx, id);
    afterCommit(tx, () => callers.send([userId]));
  }

  /** Ends a grant that is no longer trusted, and the access tokens that its application created. */
  async function end(tx: Executor, grant: EndedGrant): Promise<void> {
    // Making a token takes the same lock, so that none that is made meanwhile is missed.
    await lockAccountById(tx, grant.user_id);
    await deleteTokensById(tx, await tokensMadeBy(tx, grant.id));
    await logOut(tx, grant);
  }

  async function endOne(
    tx: Executor,
    caller: Caller,
    user: Pick<Account, 'id' | 'name'>,
    { id, missing }: { readonly id: string; readonly missing: string },
  ): Promise<void> {
    const grant = await findGrant(tx, id);
    if (grant?.user_id !== user.id) throw notFound(missing);
    await end(tx, grant);
    const message = `Ended the authorization of an application by ${user.name}`;
    const data = { user: { _id: user.id, user: user.name }, clientId: grant.client_id };
    await recordForSite(audit, tx, caller, { type: 'application.revoke', message, data });
  }

  async function grantList(userId: string): Promise<OauthGrant[]> {
    const rows = await grantsOf(database.read, userId, MAX_SHOWN);
    const orgIds = rows.flatMap((row) => parseJson(row.org_ids));
    const organizations = await findAccountsById(database.read, orgIds);
    return rows.map((row) => presentGrant(row, organizations));
  }

  return {
    end,
    logOut,

    /**
     * Creates a grant of the caller and returns its id. Throws 400 if the caller does not belong to one of the
     * organizations.
     */
    async create(tx: Executor, caller: Caller, agreement: Agreement): Promise<string> {
      const { app, scopes } = agreement;
      const { userId, userName } = caller.principal;
      const selected = await pickOrganizations(tx, userId, agreement.organizations);
      const { row } = await accounts.issueToken(tx, {
        userId,
        // A user may grant the same application several times, so the name gets a random suffix.
        displayName: `${app.name} (${randomBytes(6).toString('hex')})`,
        role: 'fineGrained',
        fineGrained: permissionsOf(scopes, { id: userId, name: userName }, selected),
        withoutText: true,
      });
      await insertGrant(tx, {
        id: row.id,
        user_id: userId,
        client_id: app.clientId,
        scopes: toJson(scopes),
        org_ids: toJson(selected.map(({ id }) => id)),
        address: agreement.address,
        user_agent: agreement.userAgent,
        created_at: clock.now(),
      });
      await onTokenCreated(tx, caller, row);
      await recordForSite(audit, tx, caller, {
        type: 'application.authorize',
        message: `Authorized the application ${app.name}`,
        data: { clientId: app.clientId, name: app.name, scopes },
      });
      for (const { id: orgId } of selected)
        await audit.record(tx, caller, {
          orgId,
          type: 'oauth.token',
          message: `Authorized the application ${app.name} to act in the organization`,
          data: { clientId: app.clientId, name: app.name, scopes },
        });
      return row.id;
    },

    list: ({ principal }: Caller): Promise<OauthGrant[]> => grantList(principal.userId),

    listOf: async (name: string): Promise<OauthGrant[]> =>
      grantList(requireUser(await findAccount(database.read, name), name).id),

    endOwn(caller: Caller, id: string): Promise<void> {
      const { userId, userName: name } = caller.principal;
      const missing = 'You have not authorized an application under this id';
      return database.transaction((tx) => endOne(tx, caller, { id: userId, name }, { id, missing }));
    },

    endOf: (caller: Caller, name: string, id: string): Promise<void> =>
      database.transaction(async (tx) => {
        const user = requireUser(await findAccount(tx, name), name);
        const missing = `${user.name} has not authorized an application under this id`;
        await endOne(tx, caller, user, { id, missing });
      }),
  };
}

/** Returns a user's organizations to choose from; `isSelected` decides which are preselected. */
export async function organizationChoices(
  executor: ReadExecutor,
  userId: string,
  isSelected: (orgId: string) => boolean,
) {
  const organizations = await membershipsOf(executor, userId);
  return organizations.map(({ id, name, fullname }) => ({ id, name, fullname, selected: isSelected(id) }));
}

async function pickOrganizations(tx: Executor, userId: string, names: readonly string[]): Promise<Account[]> {
  if (names.length === 0) return [];
  const wanted = new Set(names.map((name) => name.toLowerCase()));
  const selected = (await membershipsOf(tx, userId)).filter((org) => wanted.delete(org.name_key));
  const [unknown] = wanted;
  if (unknown !== undefined) throw badRequest(`body.organizations: you belong to no organization named ${unknown}`);
  return selected;
}

function presentGrant(
  row: Awaited<ReturnType<typeof grantsOf>>[number],
  organizations: ReadonlyMap<string, Account>,
): OauthGrant {
  const app = { clientId: row.client_id, name: nameOfApp(row.client_id, row.appName) };
  return {
    id: row.id,
    application: shownApp({ ...app, ...(row.owner !== null && { owner: row.owner }) }),
    scopes: [...parseJson(row.scopes)],
    organizations: parseJson(row.org_ids).flatMap((id) => organizations.get(id)?.name ?? []),
    createdAt: timestamp(row.created_at),
    ...(row.lastUsedAt !== null && { lastUsedAt: timestamp(row.lastUsedAt) }),
    address: row.address,
    ...(row.user_agent !== null && { userAgent: row.user_agent }),
  };
}
