import type { RepoType } from '@moonbase/contract/primitives';
import type { Named } from '../repositories/index.ts';

/** Something to watch or to mute, as a caller names it. */
export interface Item {
  readonly id: string;
  readonly type: 'org' | 'user' | 'repo' | 'discussion';
}

const REPO_NAME = /^(?:(dataset|model|space|bucket|kernel)s?\/)?([^/]+\/[^/]+)$/;

/** The object id that an item gives, in lower case. */
export const objectIdIn = ({ id }: Item): string | undefined =>
  /^[0-9a-f]{24}$/i.test(id) ? id.toLowerCase() : undefined;

/** The name that an item gives. A repository without a type before its name is a model, as in the hub's URLs. */
export function nameIn(item: Item): Named | undefined {
  if (objectIdIn(item) !== undefined) return undefined;
  switch (item.type) {
    case 'org':
    case 'user':
      return { type: item.type, name: item.id };
    case 'repo': {
      const [, type = 'model', name] = REPO_NAME.exec(item.id) ?? [];
      return name === undefined ? undefined : { type: type as RepoType, name };
    }
    case 'discussion':
      return undefined;
  }
}
