import { existsSync } from 'node:fs';
import { resourcesOf } from '../../runs/hardware.ts';
import type { StoredSpecification } from '../../runs/specification.ts';
import { isAllowed } from '../image-policy.ts';
import type { Refusal } from '../runner.ts';

/** Returns why volumes cannot be mounted; undefined if they can. */
function volumesRefusal(directory: string | undefined): Refusal | undefined {
  if (directory === undefined) return { path: 'volumes', message: 'cannot be mounted: this hub has no folder of them' };
  if (!existsSync(directory))
    return { path: 'volumes', message: 'cannot be mounted: this hub does not see its folder of them' };
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
    return volumes && volumes.length > 0 ? volumesRefusal(volumesDir) : undefined;
  };
}
