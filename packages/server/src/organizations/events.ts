import * as z from 'zod';
import { defineTopic } from '../platform/events/topic.ts';

/** An organization was deleted or restored. */
const OrganizationEvent = z.object({ orgId: z.string() });
export type OrganizationEvent = z.infer<typeof OrganizationEvent>;
export const organizationTopic = defineTopic({ name: 'organization', version: 1, data: OrganizationEvent });

/** Repositories of a deleted organization were removed permanently. */
const PurgeEvent = z.object({ orgId: z.string(), repoIds: z.array(z.string()).readonly() });
export type PurgeEvent = z.infer<typeof PurgeEvent>;
export const purgeTopic = defineTopic({ name: 'purge', version: 1, data: PurgeEvent });
