import * as z from 'zod';
import { defineTopic } from '../platform/events/topic.ts';

/** A claim of authorship changed: ids of the claim, the paper, the claimed author and the actor. */
const ClaimEvent = z.object({
  action: z.enum(['request', 'verify', 'reject']),
  claimId: z.string(),
  paperId: z.string(),
  userId: z.string(),
  actorId: z.string(),
});
export type ClaimEvent = z.infer<typeof ClaimEvent>;
export const claimTopic = defineTopic({ name: 'claim', version: 1, data: ClaimEvent });
