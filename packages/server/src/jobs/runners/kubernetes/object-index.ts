import { KEY_LABEL } from './names.ts';
import type { KubernetesObject } from './objects.ts';

export type ObjectIndex<T extends KubernetesObject> = ReturnType<typeof createObjectIndex<T>>;

/** The known objects of a collection, by the key of their attempt. */
export function createObjectIndex<T extends KubernetesObject>() {
  let objects: Map<string, T> | undefined;
  /** Undefined after a change, until it is rebuilt. */
  let index: Map<string, readonly T[]> | undefined;

  return {
    replace(all: readonly T[]): void {
      objects = new Map(all.map((object) => [object.metadata.uid, object]));
      index = undefined;
    },

    put(object: T): void {
      objects?.set(object.metadata.uid, object);
      index = undefined;
    },

    delete({ metadata }: T): void {
      objects?.delete(metadata.uid);
      index = undefined;
    },

    /** Returns undefined before the first list. */
    byKey(): ReadonlyMap<string, readonly T[]> | undefined {
      if (!objects || index) return index;
      index = new Map();
      for (const object of objects.values()) {
        const key = object.metadata.labels?.[KEY_LABEL] ?? '';
        index.set(key, [...(index.get(key) ?? []), object]);
      }
      return index;
    },
  };
}
