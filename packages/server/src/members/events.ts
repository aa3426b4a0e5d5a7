import * as z from 'zod';
import { defineTopic } from '../platform/events/topic.ts';

/** A person was invited by mail. */
const InvitationEvent = z.object({ invitationId: z.string(), invitedBy: z.string() });
export type InvitationEvent = z.infer<typeof InvitationEvent>;
export const invitationTopic = defineTopic({ name: 'invitation', version: 1, data: InvitationEvent });
