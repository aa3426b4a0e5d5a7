const REGISTRY = /^(localhost|[a-zA-Z0-9-]+(\.[a-zA-Z0-9-]+)+|[a-zA-Z0-9-]+(?=:))(:\d{1,5})?$/;
const NAME = /^[a-z0-9]+((\.|_{1,2}|-+)[a-z0-9]+)*$/;
const TAG = /^\w[\w.-]{0,127}$/;
const DIGEST = /^[a-z0-9]+([.+_-][a-z0-9]+)*:[0-9a-f]{32,128}$/i;
const MAX_NAME = 255;
const MAX_REFERENCE = 512;

/**
 * Returns what is wrong with a reference to an image, `[registry[:port]/]name[/name…][:tag][@digest]`; undefined if it
 * is valid. The grammar is that of the Distribution project, which every engine follows.
 */
export function imageFault(reference: string): string | undefined {
  if (reference.length > MAX_REFERENCE) return `must have at most ${MAX_REFERENCE} characters`;
  const [named = '', digest, ...more] = reference.split('@');
  if (more.length > 0 || (digest !== undefined && !DIGEST.test(digest))) return 'has a digest of the wrong form';
  const parts = named.split('/');
  const [last = '', tag, ...rest] = (parts.pop() ?? '').split(':');
  if (rest.length > 0 || (tag !== undefined && !TAG.test(tag))) return 'has a tag of the wrong form';
  const [first, ...inner] = parts;
  const isRegistry = first !== undefined && /[.:]|^localhost$/.test(first);
  if (isRegistry && !REGISTRY.test(first)) return 'names a registry of the wrong form';
  if (isRegistry && Number(first.split(':')[1] ?? 1) > 65_535) return 'names a port that there is not';
  const names = [...(isRegistry ? inner : parts), last];
  if (!names.every((name) => NAME.test(name)) || names.join('/').length > MAX_NAME)
    return 'is not an image reference, such as python:3.12 or ghcr.io/acme/train@sha256:…';
  return undefined;
}
