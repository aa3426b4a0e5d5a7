import type { Clock } from '../../platform/clock.ts';
import { encodeTag } from '../../platform/git/objects/tag.ts';
import { authorOf, type WriteTag } from '../../repositories/index.ts';
import type { RepositoryObjects } from '../objects.ts';

interface Dependencies {
  readonly clock: Clock;
  readonly objects: RepositoryObjects;
}

/** Returns the function that writes the tag object of an annotated tag. */
export const createTagWriting =
  ({ clock, objects }: Dependencies): WriteTag =>
  async (caller, repoId, { name, commit, message }) => {
    await objects.prepare(repoId);
    const writer = objects.open(repoId).writer();
    const tagger = authorOf(caller.principal.userName, caller.hubUrl, clock.now());
    try {
      const body = encodeTag({ object: commit, type: 'commit', name, tagger, message });
      const id = await writer.add({ type: 'tag', body });
      await writer.finish();
      return id;
    } finally {
      await writer.discard();
    }
  };
