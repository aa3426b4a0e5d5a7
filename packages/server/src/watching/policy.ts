import { REPO_TYPES } from '@moonbase/contract/primitives';
import type { TypedName } from '../repositories/index.ts';

/** A target to watch or to mute, as a caller names it: by id or by name. */
export interface Item {
  readonly id: string;
  readonly type: 'org' | 'user' | 'repo' | 'discussion';
}

const REPO_NAME = /^(?:(dataset|model|space|bucket|kernel)s?\/)?([^/]+\/[^/]+)$/;

/** Returns the id that an item gives, in lower case; undefined where the item gives a name. */
export const objectIdIn = ({ id }: Item): string | undefined =>
  /^[0-9a-f]{24}$/i.test(id) ? id.toLowerCase() : undefined;

/**
 * Returns the name that an item gives; undefined where the item gives an id. A repository without a type before its name is
 * a model, as in the hub's URLs.
 */
export function nameIn(item: Item): TypedName | undefined {
  if (objectIdIn(item) !== undefined) return undefined;
  switch (item.type) {
    case 'org':
    case 'user':
      return { type: item.type, name: item.id };
    case 'repo': {
      const [, prefix = 'model', name] = REPO_NAME.exec(item.id) ?? [];
      const type = REPO_TYPES.find((each) => each === prefix);
      return name === undefined || type === undefined ? undefined : { type, name };
    }
    case 'discussion':
      return undefined;
  }
}
