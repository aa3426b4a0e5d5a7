import { z } from 'zod';
import { FineGrained, TokenRole } from '../accounts/profiles.ts';
import { Domain } from '../organizations/organizations.ts';
import { plainArxivId } from '../papers/arxiv.ts';
import { EmailAddress, Plan, RepoType, Role } from '../primitives.ts';
import { defineRoute } from '../route.ts';
import { deadLetterRoutes } from './dead-letters.ts';
import { adminListRoutes } from './lists.ts';
import { getHubStatus } from './status.ts';

/** `absent` removes the item. */
const state = z.literal('absent').optional();

const HubToken = z.object({
  name: z.string().min(1).max(100),
  role: TokenRole.optional().meta({ description: '`write` for a new one.' }),
  token: z
    .string()
    .regex(/^hf_[0-9A-Za-z]{8,}$/, 'must be hf_ and at least 8 letters or digits')
    .optional()
    .meta({ description: 'In clear, so that it is known after the start. Absent: one is made and answered once.' }),
  scopes: FineGrained.optional(),
  state,
});

const HubUser = z.object({
  name: z.string(),
  fullname: z.string().min(1).max(200).optional(),
  email: EmailAddress.nullable()
    .optional()
    .meta({ description: "The account's own address, which is confirmed by this; null: none." }),
  pro: z.boolean().optional(),
  admin: z.boolean().optional(),
  avatarUrl: z.url({ protocol: /^https?$/ }).optional(),
  tokens: z.array(HubToken).default([]),
  state,
});

const HubOrganization = z.object({
  name: z.string(),
  fullname: z.string().min(1).max(200).optional(),
  plan: Plan.optional(),
  verifiedDomains: z
    .array(Domain)
    .max(100)
    .optional()
    .meta({ description: 'The domains whose e-mail addresses its SCIM may vouch for: all of them.' }),
  avatarUrl: z.url({ protocol: /^https?$/ }).optional(),
  members: z
    .array(
      z.object({
        user: z.string(),
        role: Role.optional().meta({ description: '`read` for a new one.' }),
        state,
      }),
    )
    .default([]),
  state,
});

const HubRepo = z.object({
  type: RepoType.default('model'),
  name: z.string().regex(/^[^/]+\/[^/]+$/, 'must be namespace/name'),
  private: z.boolean().optional(),
  state,
});

const HubPaper = z.object({
  id: z
    .string()
    .regex(/^([aA][rR][xX][iI][vV]:)?\d{4}\.\d{4,5}(v[1-9]\d*)?$/, 'must be an arXiv identifier, as in 2401.01234')
    .transform(plainArxivId),
  title: z.string().min(1).max(500).optional(),
  summary: z.string().max(65536).optional(),
  authors: z.array(z.object({ name: z.string().min(1).max(200), user: z.string().optional() })).optional(),
  state,
});

const slug = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,199}$/, 'must be letters, digits, - and _');
const HubPost = z.object({ slug, author: z.string(), title: z.string().min(1).max(500).optional(), state });
const HubArticle = HubPost.extend({ canonical: z.boolean().optional() });

/**
 * The document that fills a hub. Names are the keys: what it names is created or brought to the given values, what it
 * does not name stays as it is. Everything but names is optional.
 */
export const HubDocument = z
  .object({
    users: z.array(HubUser).default([]),
    organizations: z.array(HubOrganization).default([]),
    repos: z.array(HubRepo).default([]),
    papers: z.array(HubPaper).default([]),
    posts: z.array(HubPost).default([]),
    articles: z.array(HubArticle).default([]),
  })
  .meta({ id: 'HubDocument' });
export type HubDocument = z.infer<typeof HubDocument>;

const Counts = z.object({ created: z.int(), updated: z.int(), unchanged: z.int(), removed: z.int() });

export const HubReport = z
  .object({
    users: Counts,
    tokens: Counts,
    organizations: Counts,
    members: Counts,
    repos: Counts,
    papers: Counts,
    posts: Counts,
    articles: Counts,
    newTokens: z
      .array(z.object({ user: z.string(), name: z.string(), token: z.string() }))
      .meta({ description: 'Tokens made for entries without one; shown this once.' }),
    warnings: z.array(z.string()).meta({ description: 'What to look at, such as tokens that can be guessed.' }),
  })
  .meta({ id: 'HubReport' });
export type HubReport = z.infer<typeof HubReport>;

export const applyHub = defineRoute({
  id: 'applyHub',
  client: { body: 'document' },
  method: 'PUT',
  path: '/api/admin/hub',
  summary: 'Fill the hub from a document',
  tags: ['admin'],
  description: 'Idempotent, one transaction: a bad document changes nothing and names each fault with its path.',
  authority: 'site-admin',
  body: HubDocument,
  answers: { 200: HubReport },
});

export const adminRoutes = [applyHub, ...adminListRoutes, ...deadLetterRoutes, getHubStatus] as const;
