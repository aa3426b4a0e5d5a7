import { existsSync } from 'node:fs';
import { resourcesOf } from '../../runs/hardware.ts';
import type { StoredSpecification } from '../../runs/specification.ts';
import { isAllowed } from '../image-policy.ts';
import type { Refusal } from '../runner.ts';
import { folderOf } from './container.ts';

type Volumes = NonNullable<StoredSpecification['volumes']>;

/**
 * Returns why volumes cannot be mounted; undefined if they can. Folders inside buckets are refused: a user with write
 * access to a bucket could place a link there, which the engine would follow anywhere on its machine.
 */
function volumesRefusal(volumes: Volumes, directory: string | undefined): Refusal | undefined {
  if (directory === undefined) return { path: 'volumes', message: 'cannot be mounted: this hub has no folder of them' };
  // An engine on another machine may have folders that this machine lacks.
  const visible = existsSync(directory);
  for (const [at, volume] of volumes.entries()) {
    if (volume.type !== 'bucket') {
      if (!visible)
        return { path: `volumes.${at}.source`, message: 'cannot be mounted: this hub does not see that folder' };
      continue;
    }
    if (visible && !existsSync(folderOf(volume, directory)))
      return { path: `volumes.${at}.source`, message: 'has no folder on this hub' };
    if (volume.path !== undefined)
      return { path: `volumes.${at}.path`, message: 'cannot be mounted alone: this hub mounts buckets whole' };
  }
  return undefined;
}

/** Returns a function that returns why the engine cannot run a specification. */
export function createRefusal(images: readonly string[], volumesDir: string | undefined) {
  return ({ dockerImage, spaceId, flavor, volumes }: StoredSpecification): Refusal | undefined => {
    if (spaceId !== undefined)
      return { path: 'spaceId', message: 'cannot be run: this hub has no images of Spaces; give `dockerImage`' };
    if (dockerImage === undefined || !isAllowed(images, dockerImage))
      return { path: 'dockerImage', message: 'is not among the images that the operator of this hub allows' };
    if (resourcesOf(flavor).accelerated)
      return { path: 'flavor', message: 'has an accelerator: this hub gives processors and memory only' };
    return volumes && volumesRefusal(volumes, volumesDir);
  };
}
