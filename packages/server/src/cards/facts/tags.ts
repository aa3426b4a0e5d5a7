import type { RepoType } from '@moonbase/contract/primitives';
import { datasetFileTags } from './dataset-files.ts';
import { type JsonObject, textAt, textsAt } from './json.ts';
import { fileTags } from './library.ts';

const MAX_TAGS = 500;
const MAX_TAG_LENGTH = 200;
const MAX_ARXIV = 50;

/** Metadata fields of a dataset whose values become tags, prefixed with the field's name. */
const DATASET_FIELDS = [
  ...['task_categories', 'task_ids', 'annotations_creators', 'language_creators', 'multilinguality'],
  ...['source_datasets', 'language', 'license', 'size_categories'],
];
const RELATIONS = ['adapter', 'merge', 'quantized', 'finetune'];

export interface TagSources {
  readonly type: RepoType;
  readonly card: JsonObject | undefined;
  /** The text of the README. */
  readonly readme: string;
  readonly paths: readonly string[];
  readonly config: JsonObject | undefined;
  readonly library: string | undefined;
  readonly pipeline: string | undefined;
  readonly sdk: string | undefined;
}

const prefixed = (name: string, values: readonly string[]) => values.map((value) => `${name}:${value}`);

const ARXIV = /arxiv(?:\.org\/(?:abs|pdf|html)\/|:\s?)(\d{4}\.\d{4,5})/gi;

function arxivTags(readme: string): string[] {
  const found = new Set<string>();
  for (const [, id] of readme.matchAll(ARXIV)) {
    if (found.size === MAX_ARXIV) break;
    if (id !== undefined) found.add(id);
  }
  return prefixed('arxiv', [...found]);
}

/** Returns the relation between a model and its base models. */
function relationOf({ card, paths }: TagSources, bases: readonly string[]): string {
  const declared = textAt(card, 'base_model_relation');
  if (declared !== undefined && RELATIONS.includes(declared)) return declared;
  if (paths.includes('adapter_config.json')) return 'adapter';
  if (bases.length > 1) return 'merge';
  return paths.some((path) => path.endsWith('.gguf')) ? 'quantized' : 'finetune';
}

function modelTags(sources: TagSources): string[] {
  const { card, paths, config, library, pipeline } = sources;
  const bases = textsAt(card, 'base_model');
  return [
    ...[library, textAt(config, 'model_type'), pipeline].flatMap((tag) => tag ?? []),
    ...fileTags(paths),
    ...textsAt(card, 'tags'),
    ...textsAt(card, 'language'),
    ...prefixed('dataset', textsAt(card, 'datasets')),
    ...arxivTags(sources.readme),
    ...prefixed('base_model', bases),
    ...prefixed(`base_model:${relationOf(sources, bases)}`, bases),
    ...prefixed('license', textsAt(card, 'license')),
  ];
}

const datasetTags = ({ card, paths, readme }: TagSources): string[] => [
  ...DATASET_FIELDS.flatMap((field) => prefixed(field, textsAt(card, field))),
  ...datasetFileTags(paths),
  ...arxivTags(readme),
  ...textsAt(card, 'tags'),
];

const spaceTags = ({ card, sdk }: TagSources): string[] => [
  ...(sdk === undefined ? [] : [sdk]),
  ...textsAt(card, 'tags'),
];

/** Returns whether a text can be stored as a tag: not too long, without control characters. */
export const isTag = (text: string): boolean => text.length <= MAX_TAG_LENGTH && /^[^\p{C}]+$/u.test(text);

/** Returns the tags of a repository without duplicates, from its README and its files. */
export function tagsOf(sources: TagSources): string[] {
  const { type } = sources;
  const own = type === 'dataset' ? datasetTags(sources) : type === 'space' ? spaceTags(sources) : modelTags(sources);
  return [...new Set([...own.filter(isTag).slice(0, MAX_TAGS), 'region:us'])];
}

/** Returns the tags by which the lists of Spaces find what a Space uses. They are not shown. */
export const linkTags = (type: RepoType, card: JsonObject | undefined): string[] =>
  type === 'space'
    ? [...prefixed('model', textsAt(card, 'models')), ...prefixed('dataset', textsAt(card, 'datasets'))]
        .filter(isTag)
        .slice(0, MAX_TAGS)
    : [];
