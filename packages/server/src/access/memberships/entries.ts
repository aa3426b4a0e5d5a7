import type { AuditEntry } from '../../audit-log/index.ts';
import type { NamedRole } from '../store.ts';

/** The audit log entry of a changed membership. */
export type MembershipEntry = Omit<AuditEntry, 'orgId'>;

/** A change of a user's role in an organization. */
export interface MembershipChange {
  readonly user: { readonly id: string; readonly name: string };
  /** Undefined: left. */
  readonly role: NamedRole | undefined;
  /** Undefined: the user was not a member. */
  readonly before: NamedRole | undefined;
  /** Replaces the usual audit log entry, for changes that came about in another way. */
  readonly entry?: MembershipEntry | undefined;
}

/** Returns the audit log entry of a change that `actorId` made. */
export function entryOf({ user: { id, name }, role, before, entry }: MembershipChange, actorId: string) {
  return entry ?? usualEntry({ _id: id, user: name }, role, before, id === actorId);
}

function usualEntry(
  user: { readonly _id: string; readonly user: string },
  role: NamedRole | undefined,
  before: NamedRole | undefined,
  self: boolean,
): MembershipEntry {
  const name = user.user;
  if (role && before)
    return {
      type: 'org.change_role',
      message: `Changed the role of ${name} from ${before.name} to ${role.name}`,
      data: { user, before: before.name, role: role.name },
    };
  if (role)
    return {
      type: 'org.add_user',
      message: `Added ${name} with the role ${role.name}`,
      data: { user, role: role.name },
    };
  return self
    ? { type: 'org.leave', message: 'Left the organization', data: { user, before: before?.name } }
    : { type: 'org.remove_user', message: `Removed ${name}`, data: { user, before: before?.name } };
}
