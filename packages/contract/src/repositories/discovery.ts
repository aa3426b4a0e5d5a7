import * as z from 'zod';
import { ObjectId, queryInteger } from '../primitives.ts';
import { defineRoute } from '../route.ts';
import { RepoInfo } from './reading.ts';

/** One value or several, as clients repeat a parameter or join its values with commas. */
const Texts = z
  .union([z.string(), z.array(z.string())])
  .transform((given) => [given].flat().flatMap((text) => text.split(',')))
  .refine((given) => given.length <= 20 && given.every((text) => text.length <= 200), 'must be at most 20 short texts');

const open = { method: 'GET', tags: ['repos'], authority: 'repo.content.read', anonymous: true } as const;

export const MODEL_TAG_TYPES = [
  ...['pipeline_tag', 'library', 'dataset', 'language', 'license', 'arxiv', 'doi'],
  ...['base_model', 'region', 'other'],
] as const;
export const DATASET_TAG_TYPES = [
  ...['task_categories', 'task_ids', 'size_categories', 'modality', 'format', 'library', 'language', 'license'],
  ...['annotations_creators', 'language_creators', 'multilinguality', 'source_datasets', 'benchmark', 'arxiv', 'doi'],
  ...['region', 'other'],
] as const;

const Tag = z
  .object({
    id: z.string().meta({ description: 'The tag, in lower case, as `filter` of a list takes it.' }),
    label: z.string().meta({ description: 'The tag without its prefix; the name of a language.' }),
    type: z.string(),
    clickable: z.literal(true),
  })
  .meta({ id: 'TagOfType' });
export type TagOfType = z.input<typeof Tag>;

const tagsByType = {
  ...open,
  description:
    'Tags of public repositories, of each type at most 1,000, the most frequent first. Looks at the 5,000 public repositories with the most downloads; up to a minute old.',
  answers: { 200: z.record(z.string(), z.array(Tag)) },
} as const;
const typeOf = <const T extends readonly string[]>(types: T) =>
  z.object({ type: z.enum(types).optional().meta({ description: 'Only tags of this type.' }) });

export const listModelTags = defineRoute({
  ...tagsByType,
  id: 'listModelTags',
  path: '/api/models-tags-by-type',
  summary: 'List the tags of models by type',
  query: typeOf(MODEL_TAG_TYPES),
});

export const listDatasetTags = defineRoute({
  ...tagsByType,
  id: 'listDatasetTags',
  path: '/api/datasets-tags-by-type',
  summary: 'List the tags of datasets by type',
  query: typeOf(DATASET_TAG_TYPES),
});

export const listTrending = defineRoute({
  ...open,
  id: 'listTrending',
  path: '/api/trending',
  summary: 'List what is trending',
  description: 'Repositories with downloads or likes in the last 7 days, the highest `trendingScore` first.',
  query: z.object({
    type: z.enum(['all', 'model', 'dataset', 'space']).default('all'),
    limit: queryInteger({ min: 1, max: 20, default: 10 }),
  }),
  answers: {
    200: z.object({
      recentlyTrending: z.array(z.object({ repoType: z.enum(['model', 'dataset', 'space']), repoData: RepoInfo })),
    }),
  },
});

const FoundSpace = z
  .object({
    id: z.string().meta({ description: 'namespace/name' }),
    title: z.string().meta({ description: 'That of the README, else the name.' }),
    author: z.string(),
    emoji: z.string().optional(),
    sdk: z.string().optional(),
    shortDescription: z.string().optional(),
    likes: z.number(),
    private: z.boolean(),
    tags: z.array(z.string()),
    trendingScore: z.number(),
    semanticRelevancyScore: z.number().meta({ description: 'The share of the words that were found, 0 to 1.' }),
  })
  .meta({ id: 'FoundSpace' });
export type FoundSpace = z.input<typeof FoundSpace>;

export const searchSpaces = defineRoute({
  ...open,
  id: 'searchSpaces',
  path: '/api/spaces/semantic-search',
  summary: 'Search Spaces',
  description:
    'Looks for the words of the text in names, titles, tags and short descriptions: those with the most words first, at most 100. Looks at the 5,000 public Spaces that trend most, and at as many private ones that the caller may read.',
  query: z.object({
    q: z.string().max(250).default(''),
    filter: Texts.optional().meta({ description: 'Tags that all must be there. May be repeated.' }),
    sdk: Texts.optional().meta({ description: 'SDKs: any of them. May be repeated.' }),
    includeNonRunning: z.string().max(10).optional().meta({ description: 'Ignored: all Spaces are found.' }),
  }),
  answers: { 200: z.array(FoundSpace) },
});

export const QUICK_SEARCH_TYPES = [
  ...['model', 'dataset', 'space', 'kernel', 'bucket', 'paper', 'collection', 'org', 'user'],
] as const;

const FoundRepo = z.object({
  _id: ObjectId,
  id: z.string().meta({ description: 'namespace/name' }),
  private: z.boolean().optional(),
  trendingWeight: z.number(),
});
const FoundAccount = { _id: ObjectId, avatarUrl: z.string(), fullname: z.string() };
const count = z.number().meta({ description: 'At most 1,000, however many there are.' });

export const QuickSearchResult = z
  .object({
    q: z.string(),
    models: z.array(FoundRepo),
    modelsCount: count,
    datasets: z.array(FoundRepo),
    datasetsCount: count,
    spaces: z.array(FoundRepo),
    spacesCount: count,
    kernels: z.array(FoundRepo),
    kernelsCount: count,
    buckets: z.array(FoundRepo),
    bucketsCount: count,
    papers: z.array(z.object({ _id: ObjectId, id: z.string(), title: z.string() })),
    papersCount: count,
    collections: z.array(
      z.object({ _id: ObjectId, title: z.string(), slug: z.string(), description: z.string().optional() }),
    ),
    collectionsCount: count,
    orgs: z.array(z.object({ ...FoundAccount, name: z.string() })),
    orgsCount: count,
    users: z.array(z.object({ ...FoundAccount, user: z.string() })),
    usersCount: count,
  })
  .meta({ id: 'QuickSearchResult' });
export type QuickSearchResult = z.input<typeof QuickSearchResult>;

/** What a search is for, in the query of GET and in the body of POST. */
const SOUGHT = {
  q: z.string().max(250).default(''),
  type: Texts.pipe(z.array(z.enum(QUICK_SEARCH_TYPES)))
    .optional()
    .meta({ description: 'What to look for (default: everything). May be repeated.' }),
  namespace: z.string().max(200).optional().meta({ description: 'Only repositories and collections in it.' }),
  exclude: Texts.optional().meta({
    description: 'Repositories to leave out, as `namespace/name` or `models/namespace/name`. May be repeated.',
  }),
  library: Texts.optional().meta({ description: 'Repositories with this tag; also `lang` and `pipelines`.' }),
  lang: Texts.optional(),
  pipelines: Texts.optional(),
};
const MAX_FOUND = 20;
const DEFAULT_FOUND = 5;

const quickly = {
  ...open,
  path: '/api/quicksearch',
  answers: { 200: QuickSearchResult },
} as const;

export const quickSearch = defineRoute({
  ...quickly,
  id: 'quickSearch',
  summary: 'Search everything by name',
  description:
    'Finds repositories, users and organizations by parts of their names, papers and collections by words of their titles. Private repositories and collections are found by those who may read them, collections by callers with a token.',
  query: z.object({
    ...SOUGHT,
    limit: queryInteger({ min: 1, max: MAX_FOUND, default: DEFAULT_FOUND }).meta({ description: 'Of each type.' }),
  }),
});

export const quickSearchByBody = defineRoute({
  ...quickly,
  id: 'quickSearchByBody',
  method: 'POST',
  summary: 'Search everything by name, asking in the body',
  description: 'As with `GET`; changes nothing.',
  body: z.object({
    ...SOUGHT,
    limit: z.int().min(1).max(MAX_FOUND).default(DEFAULT_FOUND).meta({ description: 'Of each type.' }),
  }),
});

export const searchRoutes = [
  ...[listModelTags, listDatasetTags, listTrending, searchSpaces],
  ...[quickSearch, quickSearchByBody],
] as const;
