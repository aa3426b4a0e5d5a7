import type { RepoType } from '@moonbase/contract/primitives';
import { datasetFileTags } from './dataset-files.ts';
import { type JsonObject, textAt, textsAt } from './json.ts';
import { fileTags } from './library.ts';

const MAX_TAGS = 500;
const MAX_TAG_LENGTH = 200;
const MAX_ARXIV = 50;

/** Fields of the README of a dataset whose values become tags, each with the name of its field. */
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

const named = (name: string, values: readonly string[]) => values.map((value) => `${name}:${value}`);

const ARXIV = /arxiv(?:\.org\/(?:abs|pdf|html)\/|:\s?)(\d{4}\.\d{4,5})/gi;

function arxivTags(readme: string): string[] {
  const found = new Set<string>();
  for (const [, id] of readme.matchAll(ARXIV)) {
    if (found.size === MAX_ARXIV) break;
    if (id !== undefined) found.add(id);
  }
  return named('arxiv', [...found]);
}

/** Returns how a model came from its base models. */
function relationOf({ card, paths }: TagSources, bases: readonly string[]): string {
  const told = textAt(card, 'base_model_relation');
  if (told !== undefined && RELATIONS.includes(told)) return told;
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
    ...named('dataset', textsAt(card, 'datasets')),
    ...arxivTags(sources.readme),
    ...named('base_model', bases),
    ...named(`base_model:${relationOf(sources, bases)}`, bases),
    ...named('license', textsAt(card, 'license')),
  ];
}

const datasetTags = ({ card, paths, readme }: TagSources): string[] => [
  ...DATASET_FIELDS.flatMap((field) => named(field, textsAt(card, field))),
  ...datasetFileTags(paths),
  ...arxivTags(readme),
  ...textsAt(card, 'tags'),
];

const spaceTags = ({ card, sdk }: TagSources): string[] => [
  ...(sdk === undefined ? [] : [sdk]),
  ...textsAt(card, 'tags'),
];

/** Whether a text can stand in a list of tags, and in a database. */
export const isTag = (text: string): boolean => text.length <= MAX_TAG_LENGTH && /^[^\p{C}]+$/u.test(text);

/** Returns the tags of a repository, each once: what its README says, and what follows from its files. */
export function tagsOf(sources: TagSources): string[] {
  const { type } = sources;
  const own = type === 'dataset' ? datasetTags(sources) : type === 'space' ? spaceTags(sources) : modelTags(sources);
  return [...new Set([...own.filter(isTag).slice(0, MAX_TAGS), 'region:us'])];
}
