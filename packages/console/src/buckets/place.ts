/** A page of a bucket, as its URL identifies it. */
export interface BucketPlace {
  /** namespace/name */
  readonly repo: string;
  readonly page: 'tree' | 'settings';
  /** The path of a folder without leading and trailing slashes; empty for the root. */
  readonly path: string;
}

/** Returns the page of a bucket that a path identifies; undefined if it is none. */
export function bucketPlaceOf(pathname: string): BucketPlace | undefined {
  const [start, namespace, name, page = 'tree', ...rest] = pathname.replace(/\/+$/, '').split('/').slice(1).map(decode);
  if (start !== 'buckets' || !namespace || !name) return undefined;
  const repo = `${namespace}/${name}`;
  if (page === 'tree') return { repo, page, path: rest.join('/') };
  return page === 'settings' && rest.length === 0 ? { repo, page, path: '' } : undefined;
}

/** Returns the path of a page of a bucket. */
export function hrefOfBucket({ repo, page, path }: BucketPlace): string {
  const home = `/buckets/${repo}`;
  if (page === 'settings') return `${home}/settings`;
  return path === '' ? home : `${home}/tree/${encoded(path)}`;
}

/** Returns the path of the bytes of a file, which a browser saves. */
export const downloadOf = (repo: string, path: string): string =>
  `/buckets/${repo}/resolve/${encoded(path)}?download=true`;

const encoded = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
