/** A parsed reference to an image; like the engines, the hub reads a name without a registry as one of Docker Hub. */
export interface ImageReference {
  /** The name with its registry, as in `docker.io/library/python`. */
  readonly name: string;
  /** Undefined if the reference has only a digest. */
  readonly tag: string | undefined;
  readonly digest: string | undefined;
}

const DOCKER_HUB = 'docker.io';

function fullNameOf(name: string): string {
  const [first = '', ...rest] = name.split('/');
  const hasRegistry = rest.length > 0 && /[.:]|^localhost$/.test(first);
  const registry = hasRegistry ? first.toLowerCase() : DOCKER_HUB;
  const path = hasRegistry ? rest.join('/') : name;
  if (registry !== DOCKER_HUB && registry !== 'index.docker.io') return `${registry}/${path}`;
  return path.includes('/') || path === '*' ? `${DOCKER_HUB}/${path}` : `${DOCKER_HUB}/library/${path}`;
}

/** Parses a reference that `imageFault` accepts. */
function parseReference(reference: string): ImageReference {
  const [named = '', digest] = reference.split('@');
  const [, name = '', tag] = /^(.*?)(?::([^:/]*))?$/.exec(named) ?? [];
  return { name: fullNameOf(name), tag, digest };
}

/** Returns the image that an engine uses for a reference: `latest` without tag and digest. */
export function imageOf(reference: string): ImageReference {
  const image = parseReference(reference);
  return image.tag === undefined && image.digest === undefined ? { ...image, tag: 'latest' } : image;
}

/** Returns the full reference, for which no engine tries another registry. A digest replaces the tag. */
export const referenceOf = ({ name, tag, digest }: ImageReference): string =>
  digest === undefined ? `${name}:${tag ?? 'latest'}` : `${name}@${digest}`;

/**
 * Returns whether a pattern of the operator admits an image: `*` admits every image, `ghcr.io/acme/*` all below that
 * path, `python` any tag and digest, `python:3.12` that tag, and `python@sha256:…` only that digest. Like engines, the
 * hub ignores a tag beside a digest.
 */
function admits(pattern: string, image: ImageReference): boolean {
  if (pattern === '*') return true;
  const wanted = parseReference(pattern);
  if (wanted.name.endsWith('/*')) return image.name.startsWith(wanted.name.slice(0, -1));
  if (wanted.name !== image.name) return false;
  if (wanted.digest !== undefined) return image.digest === wanted.digest;
  return wanted.tag === undefined || (image.digest === undefined && image.tag === wanted.tag);
}

export const isAllowed = (patterns: readonly string[], reference: string): boolean => {
  const image = imageOf(reference);
  return patterns.some((pattern) => admits(pattern, image));
};
