import type { DATASET_TAG_TYPES, MODEL_TAG_TYPES, TagOfType } from '@moonbase/contract/repositories/discovery';

/** A tag with the number of repositories that have it. */
export interface UsedTag {
  readonly tag: string;
  readonly repos: number;
}

/** What the facts about models say about their tags without a prefix. */
export interface KnownTags {
  readonly libraries: ReadonlySet<string>;
  readonly pipelines: ReadonlySet<string>;
}

type TagType = (typeof MODEL_TAG_TYPES)[number] | (typeof DATASET_TAG_TYPES)[number];

/** The maximum number of tags of one type. */
const MAX_TAGS = 1000;

const PREFIX = /^([a-z_]+):(.+)$/;

const languages = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

/** Returns the name of a language of ISO 639; undefined if a text is not its code. */
const languageNamed = (code: string): string | undefined =>
  /^[a-z]{2,3}$/.test(code) ? languages.of(code) : undefined;

function typeOf(tag: string, prefix: string | undefined, types: readonly TagType[], known: KnownTags): TagType {
  const has = (type: TagType) => types.includes(type);
  if (prefix !== undefined) return types.find((type) => type === prefix) ?? 'other';
  if (has('pipeline_tag') && known.pipelines.has(tag)) return 'pipeline_tag';
  if (has('library') && known.libraries.has(tag)) return 'library';
  return has('pipeline_tag') && languageNamed(tag) !== undefined ? 'language' : 'other';
}

/** Returns tags by their type, the most frequent first. Languages of models are tags without a prefix. */
export function tagsByType(
  tags: readonly UsedTag[],
  types: readonly TagType[],
  known: KnownTags,
): Record<string, TagOfType[]> {
  const byType = new Map(types.map((type): [TagType, TagOfType[]] => [type, []]));
  const sorted = tags.toSorted((one, other) => other.repos - one.repos || (one.tag < other.tag ? -1 : 1));
  for (const { tag } of sorted) {
    const [, prefix, rest = tag] = PREFIX.exec(tag) ?? [];
    const type = typeOf(tag, prefix, types, known);
    const listed = byType.get(type) ?? [];
    if (listed.length === MAX_TAGS) continue;
    const text = type === 'other' ? tag : rest;
    listed.push({ id: tag, label: (type === 'language' && languageNamed(text)) || text, type, clickable: true });
  }
  return Object.fromEntries(byType);
}
