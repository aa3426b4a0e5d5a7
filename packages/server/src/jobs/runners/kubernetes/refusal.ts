import type { StoredSpecification } from '../../runs/specification.ts';
import { isAllowed } from '../image-policy.ts';
import type { Refusal } from '../runner.ts';
import type { KubernetesSettings } from './settings.ts';
import { volumesRefusal } from './volumes.ts';

/** Kubernetes keeps at most 1 MiB in a Secret. */
const MAX_ENVIRONMENT = 1_000_000;

export const noFlavor = ({ flavors }: KubernetesSettings, flavor: string): string =>
  `must be a flavor of this hub: ${Object.keys(flavors).join(', ')}; ${flavor} is none`;

/** Returns whether the whole environment of an attempt is too large for a Secret. */
export const isTooLarge = (environment: Readonly<Record<string, string>>): boolean =>
  Object.entries(environment).reduce((sum, [name, text]) => sum + name.length + Buffer.byteLength(text), 0) >
  MAX_ENVIRONMENT;

/**
 * Returns a function that returns why the cluster cannot run a specification. Without `images`, the cluster decides
 * about images.
 */
export function createRefusal(settings: KubernetesSettings, images: readonly string[]) {
  return ({ dockerImage = '', spaceId, flavor, volumes, environment }: StoredSpecification): Refusal | undefined => {
    if (spaceId !== undefined)
      return { path: 'spaceId', message: 'cannot be run: this hub has no images of Spaces; give `dockerImage`' };
    if (images.length > 0 && !isAllowed(images, dockerImage))
      return { path: 'dockerImage', message: 'is not among the images that the operator of this hub allows' };
    if (!settings.flavors[flavor]) return { path: 'flavor', message: noFlavor(settings, flavor) };
    if (Buffer.byteLength(JSON.stringify(environment)) > MAX_ENVIRONMENT)
      return { path: 'environment', message: 'must have less than 1 MB' };
    return volumesRefusal(settings.volumes, volumes ?? []);
  };
}
