import { createEditing, type EditingDependencies } from './editing.ts';
import { createItems } from './items.ts';
import { createReading } from './reading.ts';
import { createUpvotes } from './upvotes.ts';

export type Collections = ReturnType<typeof createCollections>;

/** Creates the verbs of collections, by what they are about. */
export const createCollections = (dependencies: EditingDependencies) => ({
  ...createReading(dependencies),
  ...createEditing(dependencies),
  items: createItems(dependencies),
  upvotes: createUpvotes(dependencies),
});
