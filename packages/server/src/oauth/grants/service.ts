import { randomBytes } from 'node:crypto';
import type { OauthGrant } from '@moonbase/contract/oauth/grants';
import type { GrantedScope } from '@moonbase/contract/oauth/scopes';
import { membershipsOf } from '../../access/index.ts';
import {
  type Account,
  type Accounts,
  deleteToken,
  findAccount,
  findAccountsById,
  requireUser,
  type TokenRow,
} from '../../accounts/index.ts';
import type { AuditLog } from '../../audit-log/index.ts';
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
  /** Tells open streams of users to look their caller up again. */
  readonly callers: Signals;
  /** Told of each access token that is made, in its transaction. */
  readonly onTokenCreated: (tx: Executor, caller: Caller, token: TokenRow) => Promise<void>;
}

/** What a user agreed to. */
export interface Agreement {
  readonly app: App;
  readonly scopes: readonly GrantedScope[];
  /** The names of organizations in which the application may act, too. */
  readonly organizations: readonly string[];
  /** Where the program is: as its code was asked for, or where the browser is. */
  readonly address: string;
  readonly userAgent: string | null;
}

/** More grants of one user are no longer shown. */
const MAX_SHOWN = 1000;

export type Grants = ReturnType<typeof createGrants>;

/** What users let applications do. A grant stands on an access token that nobody has in clear. */
export function createGrants({ database, clock, accounts, audit, callers, onTokenCreated }: Dependencies) {
  /** Ends a grant in the transaction of the caller, with all its tokens. */
  async function end(tx: Executor, { id, user_id: userId }: Pick<GrantRow, 'id' | 'user_id'>): Promise<void> {
    await deleteToken(tx, id);
    afterCommit(tx, () => callers.send([userId]));
  }

  async function endOne(tx: Executor, userId: string, id: string, missing: string): Promise<void> {
    const grant = await findGrant(tx, id);
    if (grant?.user_id !== userId) throw notFound(missing);
    await end(tx, grant);
  }

  async function listed(userId: string): Promise<OauthGrant[]> {
    const rows = await grantsOf(database.read, userId, MAX_SHOWN);
    const orgIds = rows.flatMap((row) => parseJson(row.org_ids));
    const organizations = await findAccountsById(database.read, orgIds);
    return rows.map((row) => presentGrant(row, organizations));
  }

  return {
    end,

    /** Makes a grant of the caller; 400 for an organization that the caller does not belong to. Returns its id. */
    async create(tx: Executor, caller: Caller, agreement: Agreement): Promise<string> {
      const { app, scopes } = agreement;
      const { userId, userName } = caller.principal;
      const picked = await pickOrganizations(tx, userId, agreement.organizations);
      const { row } = await accounts.issueToken(tx, {
        userId,
        // One user lets the same application in more than once.
        displayName: `${app.name} (${randomBytes(6).toString('hex')})`,
        role: 'fineGrained',
        fineGrained: permissionsOf(scopes, { id: userId, name: userName }, picked),
        withoutText: true,
      });
      await insertGrant(tx, {
        id: row.id,
        user_id: userId,
        client_id: app.clientId,
        scopes: toJson(scopes),
        org_ids: toJson(picked.map(({ id }) => id)),
        address: agreement.address,
        user_agent: agreement.userAgent,
        created_at: clock.now(),
      });
      await onTokenCreated(tx, caller, row);
      for (const { id: orgId } of picked)
        await audit.record(tx, caller, {
          orgId,
          type: 'oauth.token',
          message: `Let the application ${app.name} act in the organization`,
          data: { clientId: app.clientId, name: app.name, scopes },
        });
      return row.id;
    },

    list: ({ principal }: Caller): Promise<OauthGrant[]> => listed(principal.userId),

    listOf: async (name: string): Promise<OauthGrant[]> =>
      listed(requireUser(await findAccount(database.read, name), name).id),

    endOwn: ({ principal }: Caller, id: string): Promise<void> =>
      database.transaction((tx) =>
        endOne(tx, principal.userId, id, 'You let no application act for you under this id'),
      ),

    endOf: (name: string, id: string): Promise<void> =>
      database.transaction(async (tx) => {
        const user = requireUser(await findAccount(tx, name), name);
        await endOne(tx, user.id, id, `${user.name} let no application in under this id`);
      }),
  };
}

/** Returns the organizations of a user for a page on which the user picks some; `isSelected` says which are picked at first. */
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
  const picked = (await membershipsOf(tx, userId)).filter((org) => wanted.delete(org.name_key));
  const [unknown] = wanted;
  if (unknown !== undefined) throw badRequest(`body.organizations: you belong to no organization named ${unknown}`);
  return picked;
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
