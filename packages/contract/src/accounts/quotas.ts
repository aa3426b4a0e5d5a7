import * as z from 'zod';
import { defineRoute } from '../route.ts';

/** The largest quota in GiB, of the settings as of one account. */
export const MAX_QUOTA_GIB = 1_000_000_000;

/** The largest quota of webhooks: a list of webhooks has all of a user. */
export const MAX_WEBHOOK_QUOTA = 10_000;

/** The largest quota of the other things that are counted, and how far usage is counted. */
export const MAX_COUNT_QUOTA = 100_000;

const GIVEN_FORM = `must be GiB from 0 to ${MAX_QUOTA_GIB} with at most three decimals, null for no limit, or "default"`;

const WEBHOOKS_FORM = `must be a whole number from 0 to ${MAX_WEBHOOK_QUOTA}, or "default"`;
const COUNT_FORM = `must be a whole number from 0 to ${MAX_COUNT_QUOTA}, null for no limit, or "default"`;

const countUpTo = (max: number) => z.int().min(0).max(max);

const countOrNone = (what: string) =>
  z
    .union([countUpTo(MAX_COUNT_QUOTA), z.null(), z.literal('default')], COUNT_FORM)
    .optional()
    .meta({ description: `${what}; null: no limit; \`default\`: the quota of the settings.` });

const hasThreeDecimals = (value: number): boolean => Math.round(value * 1000) / 1000 === value;

/** A quota as it is set. */
export const StorageGib = z
  .union(
    [
      z.number().min(0).max(MAX_QUOTA_GIB).refine(hasThreeDecimals, 'must have at most three decimals'),
      z.null(),
      z.literal('default'),
    ],
    GIVEN_FORM,
  )
  .meta({ description: 'GiB with at most three decimals; null: no limit; `default`: the quota of the settings.' });
export type StorageGib = z.infer<typeof StorageGib>;

/** How much of its quota an account uses. */
export const StorageUsage = z
  .object({
    usedBytes: z.number().meta({
      description: 'Bytes of the large files in all repositories of the account; a file counts once per repository.',
    }),
    storageGib: z.number().nullable().meta({ description: 'The quota in GiB; null: no limit.' }),
  })
  .meta({ id: 'StorageUsage' });
export type StorageUsage = z.infer<typeof StorageUsage>;

/** How many of the things that a user may have there are. */
export const CountUsage = z
  .object({
    used: z.number().meta({ description: `Counted up to ${MAX_COUNT_QUOTA}.` }),
    limit: z.number().nullable().meta({ description: 'The quota; null: no limit.' }),
  })
  .meta({ id: 'CountUsage' });
export type CountUsage = z.infer<typeof CountUsage>;

const COUNTED = {
  webhooks: 'Webhooks, without the streams of `moonbase listen`.',
  tokens: 'Access tokens, expired ones included, without those of applications and trusted publishers.',
  discussions: 'Discussions and pull requests opened in the last 24 hours and not deleted since.',
} as const;

/** How much of each of their quotas a user uses. */
export const OwnQuotas = StorageUsage.extend({
  webhooks: CountUsage.meta({ description: COUNTED.webhooks }),
  tokens: CountUsage.meta({ description: COUNTED.tokens }),
  discussions: CountUsage.meta({ description: COUNTED.discussions }),
}).meta({ id: 'OwnQuotas' });
export type OwnQuotas = z.infer<typeof OwnQuotas>;

/** A quota of things that are counted, as site administrators see it. */
export const CountQuota = CountUsage.extend({
  isDefault: z.boolean().meta({ description: 'Whether the quota is that of the settings.' }),
  default: z.number().nullable().meta({ description: 'The quota of the settings; null: no limit.' }),
}).meta({ id: 'CountQuota' });
export type CountQuota = z.infer<typeof CountQuota>;

const ONLY_USERS = 'Of users only.';

/** The quotas of an account as site administrators see them. */
export const AccountQuota = StorageUsage.extend({
  name: z.string(),
  type: z.enum(['user', 'org']),
  isDefault: z.boolean().meta({ description: 'Whether the quota is that of the settings.' }),
  defaultStorageGib: z
    .number()
    .nullable()
    .meta({ description: 'The quota that the settings give every account of this type; null: no limit.' }),
  webhooks: CountQuota.optional().meta({ description: `${COUNTED.webhooks} ${ONLY_USERS}` }),
  tokens: CountQuota.optional().meta({ description: `${COUNTED.tokens} ${ONLY_USERS}` }),
  discussions: CountQuota.optional().meta({ description: `${COUNTED.discussions} ${ONLY_USERS}` }),
}).meta({ id: 'AccountQuota' });
export type AccountQuota = z.infer<typeof AccountQuota>;

export const getOwnQuotas = defineRoute({
  id: 'getOwnQuotas',
  method: 'GET',
  path: '/api/settings/quotas',
  summary: 'Get how much of their quotas the caller uses',
  tags: ['users'],
  authority: 'user.settings.read',
  answers: { 200: OwnQuotas },
});

export const getOrganizationStorageUsage = defineRoute({
  id: 'getOrganizationStorageUsage',
  client: { params: { name: 'organization' } },
  method: 'GET',
  path: '/api/organizations/{name}/settings/storage',
  summary: 'Get how much of its storage quota an organization uses',
  description: 'For members.',
  tags: ['orgs'],
  authority: 'org.read',
  params: z.object({ name: z.string() }),
  answers: { 200: StorageUsage },
});

export const getQuota = defineRoute({
  id: 'getQuota',
  method: 'GET',
  path: '/api/admin/quotas/{name}',
  summary: 'Get the quotas of a user or an organization, and how much of them is used',
  tags: ['admin'],
  authority: 'site-admin.read',
  params: z.object({ name: z.string() }),
  answers: { 200: AccountQuota },
});

export const updateQuota = defineRoute({
  id: 'updateQuota',
  method: 'PUT',
  path: '/api/admin/quotas/{name}',
  summary: 'Set quotas of a user or an organization',
  description:
    'They hold from the next request on. What an account has beyond a lower quota stays, and nothing more is accepted. ' +
    'A quota that is left out stays as it is.',
  tags: ['admin'],
  authority: 'site-admin',
  params: z.object({ name: z.string() }),
  body: z
    .object({
      storageGib: StorageGib.optional(),
      webhooks: z
        .union([countUpTo(MAX_WEBHOOK_QUOTA), z.literal('default')], WEBHOOKS_FORM)
        .optional()
        .meta({ description: 'Webhooks of a user; `default`: the quota of the settings.' }),
      tokens: countOrNone('Access tokens of a user'),
      discussions: countOrNone('Discussions and pull requests that a user may open in any 24 hours'),
    })
    .refine((given) => Object.values(given).some((value) => value !== undefined), 'must have at least one quota'),
  answers: { 200: AccountQuota },
});

export const quotaRoutes = [getOwnQuotas, getOrganizationStorageUsage, getQuota, updateQuota] as const;
