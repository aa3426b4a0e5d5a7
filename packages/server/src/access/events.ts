import { BuiltInRole } from '@moonbase/contract/primitives';
import * as z from 'zod';
import { defineTopic } from '../platform/events/topic.ts';

/** A user joined an organization, left it, or got another role in it. */
const MembershipEvent = z.object({
  orgId: z.string(),
  userId: z.string(),
  /** The new role as a built-in role; null: the user left. */
  role: BuiltInRole.nullable(),
  /** The previous role as a built-in role; null: the user was not a member. */
  before: BuiltInRole.nullable(),
  actorId: z.string(),
});
export type MembershipEvent = z.infer<typeof MembershipEvent>;
export const membershipTopic = defineTopic({ name: 'membership', version: 1, data: MembershipEvent });

/** A custom role got another base role. */
const RoleEvent = z.object({
  orgId: z.string(),
  name: z.string(),
  base: BuiltInRole,
  before: BuiltInRole,
  actorId: z.string(),
});
export type RoleEvent = z.infer<typeof RoleEvent>;
export const roleTopic = defineTopic({ name: 'role', version: 1, data: RoleEvent });

/**
 * A change of a resource group that may have ended somebody's access to repositories. Reactions check current access,
 * because other roles of the users may still give it.
 *
 * - `add_repos`, `remove_repos`, `delete`: concerns everybody who could read the repositories `repoIds`.
 * - `remove_users`: concerns the users `userIds`, for all repositories of the group.
 */
const GroupEvent = z.object({
  action: z.enum(['add_repos', 'remove_repos', 'remove_users', 'delete']),
  groupId: z.string(),
  orgId: z.string(),
  repoIds: z.array(z.string()).readonly().optional(),
  userIds: z.array(z.string()).readonly().optional(),
  actorId: z.string(),
});
export type GroupEvent = z.infer<typeof GroupEvent>;
export const groupTopic = defineTopic({ name: 'group', version: 1, data: GroupEvent });
