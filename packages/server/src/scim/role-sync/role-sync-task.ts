import * as z from 'zod';
import { Actor } from '../../platform/http/actor.ts';
import { defineTask } from '../../platform/queue/tasks.ts';

/** Synchronizes the roles of all users that a link target concerns. */
export const roleSyncTask = defineTask(
  'scim.role-sync',
  z.object({
    actor: Actor,
    orgId: z.string(),
    resourceGroupId: z.string().nullable(),
    /** The last user that was processed. */
    after: z.string(),
    /** Whether a user was left admin because there was no other admin at that time. */
    spared: z.boolean(),
    /** Whether this is the second pass, for users who were spared. */
    again: z.boolean(),
  }),
);
