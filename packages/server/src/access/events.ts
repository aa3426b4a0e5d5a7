import { BuiltInRole } from '@moonbase/contract/primitives';
import { z } from 'zod';
import { defineTopic } from '../platform/events/topic.ts';

/** Somebody joined an organization, left it, or has another role in it. */
const MembershipEvent = z.object({
  orgId: z.string(),
  userId: z.string(),
  /** The built-in role that the role now stands on. Null: left. */
  role: BuiltInRole.nullable(),
  /** The same of the role before. Null: was no member. */
  before: BuiltInRole.nullable(),
  actorId: z.string(),
});
export type MembershipEvent = z.infer<typeof MembershipEvent>;
export const membershipTopic = defineTopic({ name: 'membership', version: 1, data: MembershipEvent });

/** A custom role stands on another base. */
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
 * What happened to a resource group by which somebody may have lost access to repositories. Who reacts asks who may read
 * now, as the other roles of those concerned still count.
 *
 * - `add_repos`, `remove_repos`, `delete`: everybody who could read the repositories `repoIds`.
 * - `remove_users`: the users `userIds`, on all that is in the group.
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
