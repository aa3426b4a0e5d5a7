import { z } from 'zod';
import { ObjectId, Page, Timestamp } from '../primitives.ts';
import { defineRoute } from '../route.ts';

export const CLAIM_STATUSES = ['claim_requested', 'claim_verified', 'claim_rejected'] as const;

/** How far a claim is: a site administrator verifies or rejects what was requested. */
export const ClaimStatus = z.enum(CLAIM_STATUSES);
export type ClaimStatus = z.infer<typeof ClaimStatus>;

/** Somebody says to be one of the authors of a paper. */
export const PaperClaim = z
  .object({
    id: ObjectId,
    paperId: z.string().meta({ description: 'The arXiv identifier.' }),
    authorId: ObjectId.meta({ description: 'The author entry that is claimed.' }),
    authorName: z.string().meta({ description: 'The name on the paper.' }),
    user: z.string().meta({ description: 'Who the author is said to be.' }),
    requestedBy: z.string().optional().meta({ description: 'Who claimed it for somebody else.' }),
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
    'E13. A site administrator decides. Only site administrators claim for somebody else. The same claim again is fine and changes nothing; an author entry that belongs to another user: 409.',
  tags,
  authority: 'user.settings.write',
  body: z.object({
    paperId: z.string().meta({ description: 'The arXiv identifier, also as in `arXiv:2401.01234v2`.' }),
    claimAuthorId: AnyCaseId.optional().meta({
      description: 'The author entry. Without it the one whose name is the full name of the user; other than one: 400.',
    }),
    targetUserId: AnyCaseId.optional().meta({ description: 'Who the author is; the caller by default.' }),
  }),
  answers: { 200: z.object({ ok: z.boolean(), claimedPaperId: z.string() }) },
  otherAnswers: { 404: 'The paper, its author entry or the user is not there.' },
});

export const listPaperClaims = defineRoute({
  id: 'listPaperClaims',
  method: 'GET',
  path: '/api/settings/papers/claims',
  summary: 'Your claims, newest first',
  tags,
  authority: 'user.settings.read',
  query: Page,
  answers: { 200: z.array(PaperClaim) },
});

export const listAllPaperClaims = defineRoute({
  id: 'listAllPaperClaims',
  method: 'GET',
  path: '/api/admin/papers/claims',
  summary: 'The claims of all, newest first',
  tags: ['admin', 'papers'],
  authority: 'site-admin.read',
  query: Page.extend({ status: ClaimStatus.optional() }),
  answers: { 200: z.array(PaperClaim) },
});

export const verifyPaperClaim = defineRoute({
  id: 'verifyPaperClaim',
  method: 'POST',
  path: '/api/admin/papers/claims/{claimId}/verify',
  summary: 'Verify a claim: the author entry is the user’s from now on',
  description: 'A rejected claim, too. 409 where the entry belongs to another user.',
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
  description: 'A verified claim, too: the author entry is nobody’s then.',
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
