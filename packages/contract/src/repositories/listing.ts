import * as z from 'zod';
import { queryInteger } from '../primitives.ts';
import { defineRoute } from '../route.ts';
import { KernelInfo, RepoInfo } from './reading.ts';

/** One value or several, as clients repeat a parameter or join its values with commas. */
const Texts = z
  .union([z.string(), z.array(z.string())])
  .transform((given) => [given].flat())
  .refine((given) => given.length <= 20 && given.every((text) => text.length <= 500), 'must be at most 20 short texts');
const Flag = z
  .enum(['true', 'True', '1', 'on', '', 'false', 'False', '0', 'off'])
  .transform((text) => !['false', 'False', '0', 'off'].includes(text));
const flag = (description: string) => Flag.optional().meta({ description });

const SORTS = ['createdAt', 'lastModified', 'likes', 'downloads', 'trendingScore'] as const;
export type RepoSort = (typeof SORTS)[number];

const Query = z.object({
  search: Texts.optional().meta({
    description:
      'Texts that the full name contains, separated by blanks; case is ignored, and `-`, `_`, `.` are equal.',
  }),
  author: z.string().max(200).optional().meta({ description: 'The namespace.' }),
  filter: Texts.optional().meta({ description: 'Tags that all must be there; case is ignored. May be repeated.' }),
  sort: z.enum(SORTS).default('trendingScore'),
  direction: z.enum(['-1', '1']).default('-1').meta({ description: '`-1`: the highest or newest first.' }),
  limit: queryInteger({ min: 1, max: Number.MAX_SAFE_INTEGER, default: 1000 }).meta({
    description:
      'Repositories per page, at most 1000; at most 100 with `full` or with fields that are read from files.',
  }),
  cursor: z.string().max(2048).optional().meta({ description: 'Start of the page, from the Link header.' }),
  full: flag('Whether to add the fields that take longer, such as the files.'),
  expand: Texts.optional().meta({ description: 'Return only these fields. May be repeated.' }),
  'expand[]': Texts.optional().meta({ description: 'Same as `expand`.' }),
});

const gated = Flag.or(z.enum(['auto', 'manual']))
  .optional()
  .meta({ description: 'Whether access must be requested; `auto` or `manual`: how requests are handled.' });

const list = {
  method: 'GET',
  tags: ['repos'],
  authority: 'repo.content.read',
  anonymous: true,
  answers: { 200: z.array(z.union([KernelInfo, RepoInfo])) },
  description: 'Private repositories are listed for those who may read them.',
} as const;
const client = { query: { 'expand[]': null } };

export const listModels = defineRoute({
  ...list,
  client,
  id: 'listModels',
  path: '/api/models',
  summary: 'List models',
  query: Query.extend({
    gated,
    pipeline_tag: z.string().max(200).optional(),
    num_parameters: z
      .string()
      .max(100)
      .optional()
      .meta({ description: 'A range of the number of parameters, such as `min:6B,max:128B`.' }),
    config: flag('Whether to add `config`.'),
    cardData: flag('Whether to add `cardData`.'),
    inference: z.string().max(100).optional().meta({ description: 'This hub offers no inference: nothing is listed.' }),
    inference_provider: Texts.optional().meta({ description: 'As `inference`.' }),
    apps: Texts.optional().meta({ description: 'Apps that can run the model: known from its tag of the same name.' }),
  }),
});

export const listDatasets = defineRoute({
  ...list,
  client,
  id: 'listDatasets',
  path: '/api/datasets',
  summary: 'List datasets',
  query: Query.extend({ gated }),
});

export const listSpaces = defineRoute({
  ...list,
  client,
  id: 'listSpaces',
  path: '/api/spaces',
  summary: 'List Spaces',
  query: Query.extend({
    models: Texts.optional().meta({ description: 'Models that the Space names in its README.' }),
    datasets: Texts.optional().meta({ description: 'Datasets that the Space names in its README.' }),
    linked: flag('Whether to add `models` and `datasets`.'),
  }),
});

export const listKernels = defineRoute({
  ...list,
  client,
  id: 'listKernels',
  path: '/api/kernels',
  summary: 'List kernels',
  query: Query,
});

export const listingRoutes = [listModels, listDatasets, listSpaces, listKernels] as const;
