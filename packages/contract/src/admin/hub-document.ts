import * as z from 'zod';
import { FineGrained, TokenRole } from '../accounts/profiles.ts';
import { StorageGib } from '../accounts/quotas.ts';
import { DefaultRepoVisibility, Domain } from '../organizations/organizations.ts';
import { plainArxivId } from '../papers/arxiv.ts';
import { EmailAddress, Plan, RepoType, Role, Timestamp } from '../primitives.ts';
import { MAX_SPACE_ENTRIES, SpaceEntry, SpaceVolumes } from '../repositories/space-settings.ts';
import { defineRoute } from '../route.ts';
import { deadLetterRoutes } from './dead-letters.ts';
import { adminListRoutes } from './lists.ts';
import { getRetention } from './retention.ts';
import { listHubSettings } from './settings.ts';
import { getHubStatus } from './status.ts';
import { collectStorage } from './storage.ts';

/** `absent` removes the item. */
const state = z.literal('absent').optional();

const HubToken = z.object({
  name: z.string().min(1).max(100),
  role: TokenRole.optional().meta({ description: 'Default for a new token: `write`.' }),
  token: z
    .string()
    .regex(/^hf_[0-9A-Za-z]{8,}$/, 'must be hf_ and at least 8 letters or digits')
    .optional()
    .meta({
      description:
        'The value in clear, so that it is known in advance. Absent: a value is generated and returned once.',
    }),
  scopes: FineGrained.optional(),
  expiresAt: Timestamp.nullable()
    .optional()
    .meta({ description: 'null: the token does not expire, which is the default for a new token.' }),
  state,
});

const HubUser = z.object({
  name: z.string(),
  fullname: z.string().min(1).max(200).optional(),
  email: EmailAddress.nullable()
    .optional()
    .meta({ description: "The account's own address, which becomes confirmed; null removes it." }),
  pro: z.boolean().optional(),
  admin: z.boolean().optional(),
  avatarUrl: z.url({ protocol: /^https?$/ }).optional(),
  storageGib: StorageGib.optional(),
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
    .meta({ description: 'All domains for whose e-mail addresses its SCIM may vouch.' }),
  defaultRepoVisibility: DefaultRepoVisibility.optional(),
  avatarUrl: z.url({ protocol: /^https?$/ }).optional(),
  storageGib: StorageGib.optional(),
  members: z
    .array(
      z.object({
        user: z.string(),
        role: Role.optional().meta({ description: 'Default for a new member: `read`.' }),
        state,
      }),
    )
    .default([]),
  state,
});

/** Longer texts belong into uploads. */
const MAX_FILE_CHARACTERS = 1024 * 1024;

/** Those that a document keeps, and as many that it removes. */
const MAX_ENTRIES = 2 * MAX_SPACE_ENTRIES;

const HubVariable = SpaceEntry.extend({ state });
const HubSecret = SpaceEntry.extend({
  value: SpaceEntry.shape.value
    .unwrap()
    .optional()
    .meta({ description: 'Of a new secret. A secret that the Space has keeps its value: the hub compares none.' }),
  state,
});

const HubRepo = z.object({
  type: RepoType.default('model'),
  name: z.string().regex(/^[^/]+\/[^/]+$/, 'must be namespace/name'),
  private: z.boolean().optional(),
  files: z
    .record(z.string().max(4096), z.string().max(MAX_FILE_CHARACTERS))
    .refine((files) => Object.keys(files).length <= 1000, 'must be at most 1000 files')
    .optional()
    .meta({
      description:
        'Texts by their paths on `main`. Files that differ are put there in one commit, after everything else has been ' +
        'applied; other files stay. Not for buckets.',
    }),
  variables: z.array(HubVariable).max(MAX_ENTRIES).optional().meta({ description: 'Spaces only. By `key`.' }),
  secrets: z.array(HubSecret).max(MAX_ENTRIES).optional().meta({ description: 'Spaces only. By `key`.' }),
  volumes: SpaceVolumes.optional().meta({
    description:
      'Spaces only. All volumes of the Space: `[]` removes them. Their buckets and repositories are there, or in the document.',
  }),
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
 * A hub document. Names are the keys: the hub creates or updates the entries that the document names and leaves others
 * unchanged. Everything but names is optional.
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
    spaceSettings: Counts.meta({ description: 'Variables, secrets, and the volumes of a Space as one.' }),
    papers: Counts,
    posts: Counts,
    articles: Counts,
    newTokens: z
      .array(z.object({ user: z.string(), name: z.string(), token: z.string() }))
      .meta({ description: 'Tokens generated for entries without a value; returned only once.' }),
    warnings: z.array(z.string()).meta({ description: 'Warnings, for example about tokens that can be guessed.' }),
  })
  .meta({ id: 'HubReport' });
export type HubReport = z.infer<typeof HubReport>;

export const applyHub = defineRoute({
  id: 'applyHub',
  client: { body: 'document' },
  method: 'PUT',
  path: '/api/admin/hub',
  summary: 'Apply a hub document',
  tags: ['admin'],
  description:
    'Idempotent. The whole document is checked first: an invalid one changes nothing, and each error is returned with its path. A document with more than 100 items is applied in steps; if it is interrupted, apply it again.',
  authority: 'site-admin',
  body: HubDocument,
  answers: { 200: HubReport },
});

export const adminRoutes = [
  applyHub,
  ...adminListRoutes,
  ...deadLetterRoutes,
  getHubStatus,
  getRetention,
  listHubSettings,
  collectStorage,
] as const;
