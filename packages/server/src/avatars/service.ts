import { lockOrganization, requireOrganization } from '../access/index.ts';
import {
  type Account,
  type Accounts,
  avatarUrl,
  findAccount,
  findPicture,
  hostedAvatarUrl,
  insertPicture,
  uploadedPath,
} from '../accounts/index.ts';
import type { AuditLog } from '../audit-log/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Executor, ReadExecutor } from '../platform/database/transaction.ts';
import type { Caller, Visitor } from '../platform/http/authenticate.ts';
import { forbidden, notFound } from '../platform/http/errors.ts';
import { sha256 } from '../platform/secrets.ts';
import { generatedPicture } from './generated.ts';
import type { Render } from './render.ts';

export type Avatars = ReturnType<typeof createAvatars>;

type Kind = Account['kind'];

const ADMIN = { role: 'admin', permission: 'org.write' } as const;

interface Avatar {
  readonly avatarUrl: string;
}

export function createAvatars(options: {
  readonly database: Database;
  readonly clock: Clock;
  readonly accounts: Pick<Accounts, 'update'>;
  readonly audit: AuditLog;
  readonly render: Render;
}) {
  const { database, clock, accounts, audit, render } = options;

  async function named(executor: ReadExecutor, kind: Kind, name: string): Promise<Account> {
    const account = await findAccount(executor, name);
    if (account?.kind !== kind)
      throw notFound(`There is no ${kind === 'user' ? 'user' : 'organization'} named ${name}`);
    return account;
  }

  /**
   * Returns the account whose picture may be changed: the caller's own, or an organization that the caller administers,
   * which is then locked.
   */
  async function requireEditable(
    executor: ReadExecutor,
    { principal }: Caller,
    kind: Kind,
    name: string,
    organizationOf = lockOrganization,
  ): Promise<Account> {
    if (kind === 'org') return (await organizationOf(executor, principal, name, ADMIN)).organization;
    const account = await named(executor, kind, name);
    if (account.id !== principal.userId) throw forbidden('You may change your own picture only');
    return account;
  }

  async function change(tx: Executor, caller: Caller, account: Account, avatarUrl: string | null): Promise<void> {
    await accounts.update(tx, account, { avatar_url: avatarUrl });
    if (account.kind !== 'org') return;
    const message = `${avatarUrl === null ? 'Removed' : 'Changed'} the picture of ${account.name}`;
    const data = { before: { avatarUrl: account.avatar_url }, after: { avatarUrl } };
    await audit.record(tx, caller, { orgId: account.id, type: 'org.update_settings', message, data });
  }

  return {
    /** Returns the URL of an account's picture, on this hub or external. */
    async of({ baseUrl }: Visitor, kind: Kind, name: string): Promise<Avatar> {
      return { avatarUrl: avatarUrl(baseUrl, await named(database.read, kind, name)) };
    },

    /**
     * Returns the URL of an account's picture on this hub, so that nobody is redirected to a site that another user
     * chose.
     */
    async hosted({ baseUrl }: Visitor, kind: Kind | 'any', name: string): Promise<string> {
      const { read } = database;
      const account = kind === 'any' ? await findAccount(read, name) : await named(read, kind, name);
      if (!account) throw notFound(`There is no user or organization named ${name}`);
      return hostedAvatarUrl(baseUrl, account);
    },

    async set(caller: Caller, kind: Kind, name: string, bytes: Uint8Array): Promise<Avatar> {
      // Checked before the expensive rendering, and again in the transaction of the change.
      await requireEditable(database.read, caller, kind, name, requireOrganization);
      const picture = await render(bytes);
      const hash = sha256(picture);
      return database.transaction(async (tx) => {
        const account = await requireEditable(tx, caller, kind, name);
        const { id } = account;
        const avatar_url = uploadedPath(hash);
        await change(tx, caller, account, avatar_url);
        await insertPicture(tx, { account_id: id, hash, picture, created_at: clock.now() });
        return { avatarUrl: avatarUrl(caller.baseUrl, { id, avatar_url }) };
      });
    },

    /** Removes the uploaded or set picture. */
    remove: (caller: Caller, kind: Kind, name: string): Promise<Avatar> =>
      database.transaction(async (tx) => {
        const account = await requireEditable(tx, caller, kind, name);
        const { id } = account;
        await change(tx, caller, account, null);
        return { avatarUrl: avatarUrl(caller.baseUrl, { id, avatar_url: null }) };
      }),

    async uploaded(hash: string): Promise<{ body: Buffer; hash: string }> {
      const body = await findPicture(database.read, hash);
      if (!body) throw notFound('There is no such picture');
      return { body, hash };
    },

    generated(id: string): { body: string; hash: string } {
      const body = generatedPicture(id);
      return { body, hash: sha256(body) };
    },
  };
}
