import * as z from 'zod';
import { Empty, ObjectId, queryInteger, Success, Timestamp } from '../primitives.ts';
import { defineRoute } from '../route.ts';
import { ResourceGroupId } from './repositories.ts';

export const COLLECTION_ITEM_TYPES = ['model', 'dataset', 'space', 'bucket', 'paper', 'collection'] as const;
export type CollectionItemType = (typeof COLLECTION_ITEM_TYPES)[number];
export const THEMES = ['orange', 'blue', 'green', 'purple', 'pink', 'indigo'] as const;
export const COLLECTION_SORTS = ['trending', 'lastModified', 'upvotes'] as const;

/** The changes in one request. */
export const MAX_ITEM_CHANGES = 1000;

const Owner = z.object({
  _id: ObjectId,
  name: z.string(),
  fullname: z.string(),
  avatarUrl: z.string(),
  type: z.enum(['user', 'org']),
});

const Note = z.object({ text: z.string(), html: z.string().meta({ description: 'The text, escaped.' }) });

const InCollection = z.object({
  _id: ObjectId.meta({ description: 'Id of the item, which stays when what it shows is renamed.' }),
  position: z.number().meta({ description: 'Items that the caller may not read keep their positions.' }),
  note: Note.optional(),
});

const RepoItem = InCollection.extend({
  type: z.enum(['model', 'dataset', 'space', 'bucket']),
  id: z.string().meta({ description: 'namespace/name' }),
  repoType: z.enum(['model', 'dataset', 'space', 'bucket']),
  author: z.string(),
  private: z.boolean(),
  gated: z.union([z.literal(false), z.enum(['auto', 'manual'])]),
  lastModified: Timestamp,
  likes: z.number(),
  downloads: z.number().optional().meta({ description: 'Of the last 30 days; not of Spaces and buckets.' }),
  sdk: z.string().optional(),
});

const PaperItem = InCollection.extend({
  type: z.literal('paper'),
  id: z.string().meta({ description: 'The arXiv identifier.' }),
  title: z.string(),
  publishedAt: Timestamp,
});

const Common = z.object({
  slug: z.string().meta({
    description:
      'namespace/title-id. The id alone finds the collection: a slug with a former title or namespace still works.',
  }),
  title: z.string(),
  description: z.string().optional(),
  lastUpdated: Timestamp,
  owner: Owner,
  theme: z.enum(THEMES),
  private: z.boolean(),
  upvotes: z.number(),
  isUpvotedByUser: z.boolean(),
  shareUrl: z.string(),
});

const NestedItem = InCollection.extend({
  type: z.literal('collection'),
  id: ObjectId,
  ...Common.shape,
});

const Item = z.discriminatedUnion('type', [RepoItem, PaperItem, NestedItem]);
export type CollectionItem = z.input<typeof Item>;

/** A collection in a list; clients number the entries of a list themselves, so that it has no position. */
export const ListedCollection = Common.extend({
  gating: z.literal(false),
  items: z.array(Item),
}).meta({ id: 'ListedCollection' });
export type ListedCollection = z.input<typeof ListedCollection>;

export const Collection = ListedCollection.extend({
  position: z.number().meta({ description: 'As its owner has set it: 0 if never.' }),
  isEditableByUser: z.boolean().meta({
    description: 'Whether the caller may change it: by the role in the organization or the group, and with this token.',
  }),
}).meta({ id: 'Collection' });
export type Collection = z.input<typeof Collection>;

const Texts = z
  .union([z.string(), z.array(z.string())])
  .transform((given) => [given].flat())
  .refine((given) => given.length <= 20 && given.every((text) => text.length <= 300), 'must be at most 20 short texts');

const collections = { tags: ['collections'] } as const;

export const listCollections = defineRoute({
  ...collections,
  id: 'listCollections',
  client: { query: { expand: null } },
  method: 'GET',
  path: '/api/collections',
  summary: 'List collections',
  description:
    'Each with at most four items. Private collections are listed for those who may read them. A page has at most 100.',
  authority: 'collection.read',
  query: z.object({
    owner: Texts.optional().meta({ description: 'Namespaces: any of them. May be repeated.' }),
    item: Texts.optional().meta({
      description:
        'Items such as `models/ns/name`, `papers/2401.00001` or `collections/<slug>`: collections with any of them. May be repeated.',
    }),
    q: z.string().max(200).optional().meta({ description: 'Words that the title contains; case is ignored.' }),
    sort: z.enum(COLLECTION_SORTS).default('trending'),
    cursor: z.string().max(2048).optional().meta({ description: 'Start of the page, from the Link header.' }),
    limit: queryInteger({ min: 1, max: 10_000, default: 10 }).meta({
      description: 'Collections per page, at most 100 whatever is given.',
    }),
    expand: z.string().max(200).optional().meta({ description: 'Ignored: everything known is returned.' }),
  }),
  answers: { 200: z.array(ListedCollection) },
});

const text = (max: number, min = 0) =>
  z
    .string()
    .trim()
    .min(min)
    .max(max)
    .refine((given) => !/\p{Cs}/u.test(given), 'must have no half of a surrogate pair, which databases cannot store');
const title = text(60, 1);
const description = text(150);
const note = text(500);
const GivenItem = z.object({
  type: z.enum(COLLECTION_ITEM_TYPES),
  id: text(300, 1).meta({ description: 'namespace/name, an arXiv identifier, or a slug or id of a collection.' }),
});

export const createCollection = defineRoute({
  ...collections,
  id: 'createCollection',
  method: 'POST',
  path: '/api/collections',
  summary: 'Create a collection',
  description:
    'In an organization: for those with the role write or above; in a resource group, with that role there. A namespace has each title once, without case.',
  authority: 'collection.write',
  body: z.object({
    title,
    description: description.nullable().optional(),
    namespace: z.string().max(200).optional().meta({ description: 'Default: that of the caller.' }),
    private: z.boolean().nullable().optional().meta({ description: 'Default: public.' }),
    item: GivenItem.extend({ note: note.nullable().optional() }).optional(),
    resourceGroupId: ResourceGroupId.nullable()
      .optional()
      .meta({ description: 'The resource group of the organization to create the collection in. Enterprise plan.' }),
  }),
  answers: { 200: Collection },
  otherAnswers: {
    402: 'For a resource group, the organization needs the Enterprise plan.',
    404: 'The namespace, the resource group or the item does not exist, or the caller may not see it.',
    409: 'The namespace has a collection with this title; `slug` names it.',
  },
});

export const CollectionParams = z.object({
  namespace: z.string().min(1).max(200),
  slug: z.string().min(1).max(300).meta({ description: 'The part behind the namespace, or the id alone.' }),
});
const ItemParams = CollectionParams.extend({ itemId: z.string().min(1).max(200) });

export const getCollection = defineRoute({
  ...collections,
  id: 'getCollection',
  method: 'GET',
  path: '/api/collections/{namespace}/{slug}',
  summary: 'Get a collection with its items',
  authority: 'collection.read',
  params: CollectionParams,
  answers: { 200: Collection },
});

export const getCollectionById = defineRoute({
  ...collections,
  id: 'getCollectionById',
  method: 'GET',
  path: '/api/collections/{collectionId}',
  summary: 'Get a collection by its id',
  authority: 'collection.read',
  params: z.object({ collectionId: z.string().min(1).max(200) }),
  answers: { 200: Collection },
});

export const updateCollection = defineRoute({
  ...collections,
  id: 'updateCollection',
  method: 'PATCH',
  path: '/api/collections/{namespace}/{slug}',
  summary: 'Update a collection',
  description: 'A new title changes the slug but not the id in it.',
  authority: 'collection.write',
  params: CollectionParams,
  body: z.object({
    title: title.optional(),
    description: description.nullable().optional(),
    position: z.int().min(0).max(100_000).optional(),
    private: z.boolean().optional(),
    theme: z.enum(THEMES).optional(),
    gating: z.literal(false, 'must be false: repositories are gated one by one on this hub').optional(),
  }),
  answers: { 200: z.object({ data: Collection }) },
  otherAnswers: { 409: 'The namespace has another collection with this title; `slug` names it.' },
});

export const deleteCollection = defineRoute({
  ...collections,
  id: 'deleteCollection',
  method: 'DELETE',
  path: '/api/collections/{namespace}/{slug}',
  summary: 'Delete a collection',
  authority: 'collection.write',
  params: CollectionParams,
  answers: { 200: Success },
});

export const addCollectionItem = defineRoute({
  ...collections,
  id: 'addCollectionItem',
  method: 'POST',
  path: '/api/collections/{namespace}/{slug}/items',
  summary: 'Add an item to the end of a collection',
  authority: 'collection.write',
  params: CollectionParams,
  body: z.object({ item: GivenItem, note: note.nullable().optional() }),
  answers: { 200: Collection },
  otherAnswers: { 409: 'The item is there already, or the collection is full.' },
});

const ItemChange = z.object({
  note: note.nullable().optional().meta({ description: 'An empty text or null removes the note.' }),
  position: z.int().min(0).max(100_000).optional().meta({
    description: 'Moves the item to this place; all items are then numbered from 0.',
  }),
});

export const updateCollectionItem = defineRoute({
  ...collections,
  id: 'updateCollectionItem',
  method: 'PATCH',
  path: '/api/collections/{namespace}/{slug}/items/{itemId}',
  summary: 'Change the note or the position of an item',
  authority: 'collection.write',
  params: ItemParams,
  body: ItemChange,
  answers: { 200: Empty },
});

export const updateCollectionItems = defineRoute({
  ...collections,
  id: 'updateCollectionItems',
  client: { body: 'changes' },
  method: 'POST',
  path: '/api/collections/{namespace}/{slug}/items/batch',
  summary: 'Change several items, one after the other',
  description: 'If one of them is not there, nothing changes.',
  authority: 'collection.write',
  params: CollectionParams,
  body: z
    .array(z.object({ action: z.literal('update'), _id: ObjectId, data: ItemChange }))
    .min(1)
    .max(MAX_ITEM_CHANGES),
  answers: { 200: Success },
});

export const deleteCollectionItem = defineRoute({
  ...collections,
  id: 'deleteCollectionItem',
  method: 'DELETE',
  path: '/api/collections/{namespace}/{slug}/items/{itemId}',
  summary: 'Remove an item from a collection',
  authority: 'collection.write',
  params: ItemParams,
  answers: { 200: Success },
});

const Upvotes = z.object({ upvotes: z.number(), isUpvotedByUser: z.boolean() });
const upvoting = {
  ...collections,
  path: '/api/collections/{namespace}/{slug}/upvote',
  params: CollectionParams,
} as const;

export const upvoteCollection = defineRoute({
  ...upvoting,
  id: 'upvoteCollection',
  method: 'POST',
  summary: 'Upvote a collection; again changes nothing',
  authority: 'collection.write',
  answers: { 200: Upvotes },
});

export const withdrawCollectionUpvote = defineRoute({
  ...upvoting,
  id: 'withdrawCollectionUpvote',
  method: 'DELETE',
  summary: "Withdraw the caller's upvote; again changes nothing",
  authority: 'collection.write',
  answers: { 200: Upvotes },
});

export const collectionRoutes = [
  listCollections,
  createCollection,
  getCollection,
  getCollectionById,
  updateCollection,
  deleteCollection,
  addCollectionItem,
  updateCollectionItem,
  updateCollectionItems,
  deleteCollectionItem,
  upvoteCollection,
  withdrawCollectionUpvote,
] as const;
