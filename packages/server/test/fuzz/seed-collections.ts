import { createCollection } from '@moonbase/client/collections';
import type { TestHub } from '../harness.ts';

/** Adds collections of alice and acme, each with an item; that of acme is in the group, if there is one. */
export async function seedCollections(hub: TestHub, words: Map<string, string>): Promise<void> {
  const item = { type: 'model' as const, id: 'alice/things' };
  for (const namespace of ['alice', 'acme']) {
    const resourceGroupId = namespace === 'acme' ? words.get('§group') : undefined;
    const made = { ...hub.as('alice'), namespace, title: 'Things', item, resourceGroupId };
    const { slug, items } = await createCollection(made);
    words.set('§collection', slug.split('/')[1] ?? '').set('§item', items[0]?._id ?? '');
    words.set('§collection id', slug.slice(-24));
  }
}
