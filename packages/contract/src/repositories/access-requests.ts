import * as z from 'zod';
import { ObjectId, queryInteger, RepoParams, Timestamp } from '../primitives.ts';
import { defineRoute } from '../route.ts';

/** What became of a request for access to the files of a gated repository. */
export const AccessStatus = z.enum(['pending', 'accepted', 'rejected']);
export type AccessStatus = z.infer<typeof AccessStatus>;

export const MAX_REASON = 200;
export const MAX_BATCH = 100;

/** What a user answered to the form of a repository's card, by the names of its fields. */
const Fields = z.record(z.string().max(200), z.union([z.string().max(2000), z.boolean()]));

/** B§6. */
export const AccessRequest = z
  .object({
    requestId: ObjectId,
    user: z.object({
      _id: ObjectId,
      user: z.string(),
      fullname: z.string(),
      avatarUrl: z.string(),
      isPro: z.boolean(),
      type: z.literal('user'),
      email: z.string().optional().meta({
        description: 'The confirmed address; absent if the user did not ask for access but was granted it.',
      }),
    }),
    grantedBy: z.object({ _id: ObjectId, user: z.string() }).optional().meta({
      description: 'Who granted access to a user who had not asked for it.',
    }),
    status: AccessStatus,
    fields: Fields.optional().meta({ description: "The user's answers to the form of the repository's card." }),
    rejectionReason: z.string().optional(),
    timestamp: Timestamp.meta({ description: 'When access was asked for or granted.' }),
  })
  .meta({ id: 'AccessRequest' });
export type AccessRequest = z.infer<typeof AccessRequest>;

const tags = ['gating'];
const at = '/api/{repoType}/{namespace}/{repo}/user-access-request';
const NOT_GATED = 'The repository is not gated.';

const OfModel = RepoParams.omit({ repoType: true });
const OfType = RepoParams.extend({ repoType: z.enum(['models', 'datasets', 'spaces', 'kernels']) });

const ask = {
  method: 'POST',
  tags,
  description:
    "The body has the answers to the form in the metadata of the repository's card (`extra_gated_fields`), as JSON or as a " +
    'form. Whoever may write to the repository sees them with the name and the confirmed e-mail address of the user. With ' +
    '`gated: auto` the request is accepted at once, with `manual` somebody decides. A user has one request for a ' +
    'repository; asking again changes nothing, and is 403 after a rejection.',
  authority: 'user.settings.write',
  client: { body: 'fields' },
  body: z.record(z.string(), z.unknown()),
  forms: true,
  answers: {},
  otherAnswers: { 303: 'The request is stored; `Location` is the page of the repository.' },
} as const;

export const askAccess = defineRoute({
  ...ask,
  id: 'askAccess',
  summary: 'Ask for access to the files of a gated model',
  path: '/{namespace}/{repo}/ask-access',
  params: OfModel,
});

export const askAccessOfType = defineRoute({
  ...ask,
  id: 'askAccessOfType',
  summary: 'Ask for access to the files of a gated repository',
  path: '/{repoType}/{namespace}/{repo}/ask-access',
  params: OfType,
});

export const cancelAccessRequest = defineRoute({
  id: 'cancelAccessRequest',
  method: 'POST',
  path: `${at}/cancel`,
  summary: "Withdraw the caller's own access request, or give the access up",
  description: 'Not possible after somebody has rejected the request or taken the access away: 403.',
  tags,
  authority: 'user.settings.write',
  params: RepoParams,
  answers: { 200: z.object({}) },
});

export const listAccessRequests = defineRoute({
  id: 'listAccessRequests',
  method: 'GET',
  path: `${at}/{status}`,
  summary: 'List the access requests for a gated repository, the latest first',
  description:
    '`X-Total-Count` is the number of requests of this status; `Link: <…>; rel="next"` leads to the next page.',
  tags,
  authority: 'repo.write',
  params: RepoParams.extend({ status: AccessStatus }),
  query: z.object({
    limit: queryInteger({ min: 10, max: 1000, default: 1000 }),
    after: ObjectId.optional().meta({ description: 'The id of the request that the page follows.' }),
    before: ObjectId.optional().meta({ description: 'The id of the request that the page comes before.' }),
  }),
  answers: { 200: z.array(AccessRequest) },
  otherAnswers: { 400: NOT_GATED },
});

const Who = z.object({
  user: z.string().min(1).max(200).optional().meta({ description: 'The name of the user.' }),
  userId: ObjectId.optional(),
});
const Named = Who.extend({ requestId: ObjectId.optional() });
const namesOne = (who: { user?: unknown; userId?: unknown; requestId?: unknown }): boolean =>
  [who.user, who.userId, who.requestId].filter((given) => given !== undefined).length === 1;
const ONE_USER = 'must name the user, by exactly one of user and userId';
const ONE_REQUEST = 'must name the request, by exactly one of user, userId and requestId';

const Decision = z.object({
  status: AccessStatus,
  rejectionReason: z.string().max(MAX_REASON).optional().meta({
    description: 'For rejections: what the user reads.',
  }),
});
const reasonFits = ({ status, rejectionReason }: z.infer<typeof Decision>): boolean =>
  rejectionReason === undefined || status === 'rejected';
const REASON_FITS = { path: ['rejectionReason'], message: 'is for the status rejected only' };

export const handleAccessRequest = defineRoute({
  id: 'handleAccessRequest',
  method: 'POST',
  path: `${at}/handle`,
  summary: 'Accept or reject an access request, or make it wait again',
  description:
    '`pending` takes access away without a rejection. A request that has the status already is 400, and one that does not exist 404.',
  tags,
  authority: 'repo.write',
  params: RepoParams,
  body: Named.extend(Decision.shape).refine(namesOne, ONE_REQUEST).refine(reasonFits, REASON_FITS),
  answers: { 200: z.object({}) },
});

export const handleAccessRequests = defineRoute({
  id: 'handleAccessRequests',
  method: 'POST',
  path: `${at}/batch`,
  summary: 'Accept or reject up to 100 access requests, or make them wait again',
  description: 'A request that has the status already counts as done.',
  tags,
  authority: 'repo.write',
  params: RepoParams,
  body: Decision.extend({ requests: z.array(Named.refine(namesOne, ONE_REQUEST)).min(1).max(MAX_BATCH) }).refine(
    reasonFits,
    REASON_FITS,
  ),
  answers: {
    200: z.array(
      Who.extend({ ok: z.boolean(), error: z.enum(['user_not_found', 'request_not_found']).optional() }).meta({
        description: 'In the order of the requests.',
      }),
    ),
  },
});

export const grantAccess = defineRoute({
  id: 'grantAccess',
  method: 'POST',
  path: `${at}/grant`,
  summary: 'Grant a user access to the files of a gated repository',
  description: 'The user need not have asked. A user who has access already is 400.',
  tags,
  authority: 'repo.write',
  params: RepoParams,
  body: Who.refine(namesOne, ONE_USER),
  answers: { 200: AccessRequest },
});

const report = {
  method: 'GET',
  tags,
  description: 'The latest 10,000 requests. `X-Total-Count` is the number of all.',
  authority: 'repo.write',
  answers: {
    200: z.array(
      z.object({
        user: z.string(),
        fullname: z.string(),
        status: AccessStatus,
        email: z.string().optional(),
        time: Timestamp,
        reviewedAt: Timestamp.optional(),
      }),
    ),
  },
} as const;

export const getUserAccessReport = defineRoute({
  ...report,
  id: 'getUserAccessReport',
  summary: 'Download the access requests for a gated model',
  path: '/{namespace}/{repo}/user-access-report',
  params: OfModel,
});

export const getUserAccessReportOfType = defineRoute({
  ...report,
  id: 'getUserAccessReportOfType',
  summary: 'Download the access requests for a gated repository',
  path: '/{repoType}/{namespace}/{repo}/user-access-report',
  params: OfType,
});

export const accessRequestRoutes = [
  askAccess,
  askAccessOfType,
  cancelAccessRequest,
  listAccessRequests,
  handleAccessRequest,
  handleAccessRequests,
  grantAccess,
  getUserAccessReport,
  getUserAccessReportOfType,
] as const;
