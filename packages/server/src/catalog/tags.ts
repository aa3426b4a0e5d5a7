import { DATASET_TAG_TYPES, MODEL_TAG_TYPES, type TagOfType } from '@moonbase/contract/repositories/discovery';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/transaction.ts';
import { knownTags, tagsInUse } from './tag-store.ts';
import { tagsByType } from './tag-types.ts';

type Tags = Record<string, TagOfType[]>;

/** How long tags are kept in memory. */
const KEPT_MS = 60_000;

/** Creates the lists of tags by type. They show what is public, so that all callers get the same. */
export function createTags({ database: { read }, clock }: { readonly database: Database; readonly clock: Clock }) {
  const kept = new Map<string, { readonly at: number; readonly tags: Promise<Tags> }>();

  async function look(type: 'model' | 'dataset'): Promise<Tags> {
    const used = await tagsInUse(read, type);
    return type === 'model'
      ? tagsByType(used, MODEL_TAG_TYPES, await knownTags(read))
      : tagsByType(used, DATASET_TAG_TYPES, { libraries: new Set(), pipelines: new Set() });
  }

  function all(type: 'model' | 'dataset'): Promise<Tags> {
    const found = kept.get(type);
    if (found && clock.now() - found.at < KEPT_MS) return found.tags;
    const tags = look(type);
    kept.set(type, { at: clock.now(), tags });
    tags.catch(() => kept.delete(type));
    return tags;
  }

  /** Returns the tags of public repositories by type, or only those of one type. */
  return async function tagsOf(type: 'model' | 'dataset', only: string | undefined): Promise<Tags> {
    const tags = await all(type);
    return only === undefined ? tags : { [only]: tags[only] ?? [] };
  };
}
