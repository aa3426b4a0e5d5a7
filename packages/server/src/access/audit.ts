import type { Executor } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';

/** What is recorded of the roles and resource groups of an organization, in the words of the specification. */
export type RoleAuditType =
  | `org.custom_role.${'create' | 'update' | 'delete'}`
  | `resource_group.${'create' | 'add_users' | 'remove_users' | 'change_role' | 'settings' | 'delete'}`
  | 'repo.update_resource_group';

/** Keeps a record of what admins do, in the transaction of the change. */
export interface Audit {
  record(
    tx: Executor,
    caller: Caller,
    event: { readonly orgId: string; readonly type: RoleAuditType; readonly message: string; readonly data?: unknown },
  ): Promise<void>;
}
