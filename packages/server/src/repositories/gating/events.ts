import { z } from 'zod';
import { defineTopic } from '../../platform/events/topic.ts';

/** An access request was made and waits, or somebody decided: ids of the request, its repository, its user and the actor. */
const AccessRequestEvent = z.object({
  action: z.enum(['request', 'accept', 'reject']),
  requestId: z.string(),
  repoId: z.string(),
  userId: z.string(),
  actorId: z.string(),
});
export type AccessRequestEvent = z.infer<typeof AccessRequestEvent>;
export const accessRequestTopic = defineTopic({ name: 'access-request', version: 1, data: AccessRequestEvent });
