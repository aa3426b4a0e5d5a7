import * as z from 'zod';
import { ObjectId, Page, Timestamp } from '../primitives.ts';
import { defineRoute } from '../route.ts';

export const CLAIM_STATUSES = ['claim_requested', 'claim_verified', 'claim_rejected'] as const;

/** The status of a claim: a site administrator verifies or rejects a requested claim. */
export const ClaimStatus = z.enum(CLAIM_STATUSES);
export type ClaimStatus = z.infer<typeof ClaimStatus>;

/** A claim that a user is one of the authors of a paper. */
export const PaperClaim = z
  .object({
    id: ObjectId,
    paperId: z.string().meta({ description: 'The arXiv identifier.' }),
    authorId: ObjectId.meta({ description: 'The claimed author entry.' }),
    authorName: z.string().meta({ description: 'The name on the paper.' }),
    user: z.string().meta({ description: 'The claimed user.' }),
    requestedBy: z.string().optional().meta({ description: 'The site administrator who made the claim for the user.' }),
    status: ClaimStatus,
    createdAt: Timestamp,
    decidedAt: Timestamp.optional(),
  })
  .meta({ id: 'PaperClaim' });

/** An object id in either letter case; parsed to lower case. */
const AnyCaseId = z
  .string()
  .length(24)
  .regex(/^[0-9a-fA-F]{24}$/)
  .transform((id) => id.toLowerCase());

const tags = ['papers'];
const ClaimParams = z.object({ claimId: z.string() });

export const claimPaper = defineRoute({
  id: 'claimPaper',
  method: 'POST',
  path: '/api/settings/papers/claim',
  summary: 'Claim to be an author of a paper',
  description:
    'E13. A site administrator decides about the claim. Only site administrators may claim for somebody else. Repeating a claim changes nothing; 409 for an author entry that belongs to another user.',
  tags,
  authority: 'user.settings.write',
  body: z.object({
    paperId: z.string().meta({ description: 'The arXiv identifier, also in the form `arXiv:2401.01234v2`.' }),
    claimAuthorId: AnyCaseId.optional().meta({
      description:
        'The author entry. Default: the one whose name equals the full name of the user; 400 unless there is exactly one.',
    }),
    targetUserId: AnyCaseId.optional().meta({ description: 'The user who is the author. Default: the caller.' }),
  }),
  answers: { 200: z.object({ ok: z.boolean(), claimedPaperId: z.string() }) },
  otherAnswers: { 404: 'The paper, its author entry or the user is not there.' },
});

export const listPaperClaims = defineRoute({
  id: 'listPaperClaims',
  method: 'GET',
  path: '/api/settings/papers/claims',
  summary: 'List the claims of the caller, newest first',
  tags,
  authority: 'user.settings.read',
  query: Page,
  answers: { 200: z.array(PaperClaim) },
});

export const listAllPaperClaims = defineRoute({
  id: 'listAllPaperClaims',
  method: 'GET',
  path: '/api/admin/papers/claims',
  summary: 'List all claims, newest first',
  tags: ['admin', 'papers'],
  authority: 'site-admin.read',
  query: Page.extend({ status: ClaimStatus.optional() }),
  answers: { 200: z.array(PaperClaim) },
});

export const verifyPaperClaim = defineRoute({
  id: 'verifyPaperClaim',
  method: 'POST',
  path: '/api/admin/papers/claims/{claimId}/verify',
  summary: 'Verify a claim: the author entry then belongs to the user',
  description: 'Also possible for a rejected claim. 409 if the entry belongs to another user.',
  tags: ['admin', 'papers'],
  authority: 'site-admin',
  params: ClaimParams,
  answers: { 200: PaperClaim },
});

export const rejectPaperClaim = defineRoute({
  id: 'rejectPaperClaim',
  method: 'POST',
  path: '/api/admin/papers/claims/{claimId}/reject',
  summary: 'Reject a claim',
  description: 'Also possible for a verified claim: the author entry then belongs to nobody.',
  tags: ['admin', 'papers'],
  authority: 'site-admin',
  params: ClaimParams,
  answers: { 200: PaperClaim },
});

export const paperClaimRoutes = [
  claimPaper,
  listPaperClaims,
  listAllPaperClaims,
  verifyPaperClaim,
  rejectPaperClaim,
] as const;
