import * as z from 'zod';
import { ObjectId, Success, Timestamp } from '../primitives.ts';
import { defineRoute } from '../route.ts';

const tags = ['oauth'];

const settings = {
  resource: z
    .string()
    .min(1)
    .max(300)
    .meta({
      description:
        'The scope of the tokens: a repository that they read and change, as `namespace/name` of a model or with a prefix ' +
        '`datasets/`, `spaces/`, `kernels/` or `buckets/`; or the caller or an organization, whose repositories they read.',
    }),
  issuer: z.url().max(500).meta({
    description: 'The issuer of the program’s tokens: `https://token.actions.githubusercontent.com`.',
  }),
  claims: z
    .record(z.string().min(1).max(100), z.string().min(1).max(500))
    .refine(
      (claims) => 'sub' in claims || Object.keys(claims).length > 1,
      'must name `sub`, or two claims at the least',
    )
    .refine((claims) => Object.keys(claims).length <= 20, 'must be 20 at most')
    .meta({
      description:
        'Claims that a token must contain with equal values: `{"repository": "acme/ci", "ref": "refs/heads/main"}`.',
    }),
};

/** A program outside the hub that needs no stored secret to get tokens for a resource. */
export const TrustedPublisher = z
  .object({
    id: ObjectId,
    ...settings,
    resource: z
      .string()
      .nullable()
      .meta({ description: 'null: the resource was deleted, or the caller may no longer see it.' }),
    createdAt: Timestamp,
    usedAt: Timestamp.optional(),
  })
  .meta({ id: 'TrustedPublisher' });
export type TrustedPublisher = z.infer<typeof TrustedPublisher>;

export const listTrustedPublishers = defineRoute({
  id: 'listTrustedPublishers',
  method: 'GET',
  path: '/api/settings/trusted-publishers',
  summary: 'List the trusted publishers of the caller, newest first',
  tags,
  authority: 'user.settings.read',
  answers: { 200: z.array(TrustedPublisher) },
});

export const NewTrustedPublisher = z.object(settings);
export type NewTrustedPublisher = z.infer<typeof NewTrustedPublisher>;

export const createTrustedPublisher = defineRoute({
  id: 'createTrustedPublisher',
  method: 'POST',
  path: '/api/settings/trusted-publishers',
  summary: 'Trust a program outside the hub with a repository',
  description:
    'A program with a token of `issuer` that has these claims and the address of this hub as its audience can exchange it ' +
    'at `/oauth/token` for a token that lasts an hour and acts for the caller on `resource` only. Needs a session that ' +
    'began within the last ten minutes; access tokens are refused.',
  tags,
  authority: 'user.settings.write',
  body: NewTrustedPublisher,
  answers: { 200: TrustedPublisher },
  otherAnswers: {
    403: 'With the code `RecentSignInNeeded`: the user signed in longer ago.',
    409: 'The caller has 100 trusted publishers, the most.',
  },
});

export const deleteTrustedPublisher = defineRoute({
  id: 'deleteTrustedPublisher',
  method: 'DELETE',
  path: '/api/settings/trusted-publishers/{publisherId}',
  summary: 'Delete a trusted publisher',
  description: 'Its tokens are unknown from the next request on.',
  tags,
  authority: 'user.settings.write',
  params: z.object({ publisherId: z.string() }),
  answers: { 200: Success },
});

export const trustedPublisherRoutes = [listTrustedPublishers, createTrustedPublisher, deleteTrustedPublisher] as const;
