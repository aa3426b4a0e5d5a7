import type { FileRepo } from '@moonbase/client/files';

const PAGES = [
  ...(['tree', 'blob', 'commits', 'commit', 'upload', 'new', 'edit'] as const),
  ...(['branches', 'discussions', 'settings'] as const),
] as const;

/** The pages of a repository as a whole, which have no revision, with the paths below them. */
const WHOLE: Readonly<Record<string, readonly string[]>> = {
  branches: [''],
  discussions: ['', 'new'],
  settings: ['', 'access-requests'],
};

/** A repository of any kind, also a bucket. */
export interface NamedRepo {
  readonly type: FileRepo['type'] | 'bucket';
  /** namespace/name */
  readonly repo: string;
}

/** A page of a repository, as its URL identifies it. */
export interface Place extends FileRepo {
  readonly page: (typeof PAGES)[number];
  readonly revision: string;
  /**
   * The path without leading and trailing slashes; empty for the root. For a page of the repository as a whole, a path below
   * that page.
   */
  readonly path: string;
}

const TYPES: Readonly<Record<string, FileRepo['type']>> = { datasets: 'dataset', spaces: 'space', kernels: 'kernel' };
/** The first path segments under which there are no repositories. */
const OTHERS = new Set(['inbox', 'webhooks', 'jobs', 'organizations', 'settings', 'papers', 'posts', 'blog', 'oauth']);

/** Returns the page that a path identifies; undefined if it is not a page of a repository. */
export function placeOf(pathname: string): Place | undefined {
  const parts = pathname.replace(/\/+$/, '').split('/').slice(1).map(decode);
  const type = TYPES[parts[0] ?? ''];
  const [namespace, name, pageName = 'tree', ...rest] = type ? parts.slice(1) : parts;
  const page = PAGES.find((each) => each === pageName);
  if (!namespace || !name || !page || OTHERS.has(namespace)) return undefined;
  const whole = WHOLE[page];
  if (whole) {
    const path = rest.join('/');
    if (!whole.includes(path)) return undefined;
    return { type: type ?? 'model', repo: `${namespace}/${name}`, page, revision: 'main', path };
  }
  // A full ref may appear in the path as it is, in three segments.
  const length = rest[0] === 'refs' ? 3 : 1;
  const revision = rest.slice(0, length).join('/') || 'main';
  return { type: type ?? 'model', repo: `${namespace}/${name}`, page, revision, path: rest.slice(length).join('/') };
}

/** Returns the path of a page. */
export function hrefOf({ type, repo, page, revision, path }: Place): string {
  const home = `${type === 'model' ? '' : `/${type}s`}/${repo}`;
  if (page === 'tree' && revision === 'main' && path === '') return home;
  const parts = path === '' ? [] : path.split('/');
  if (page in WHOLE) return [home, page, ...parts].join('/');
  return [home, page, encodeURIComponent(revision), ...parts.map(encodeURIComponent)].join('/');
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const BYTES = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** Formats a number of bytes. */
export function bytesText(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(BYTES.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${power === 0 ? bytes : (bytes / 1000 ** power).toFixed(1)} ${BYTES[power]}`;
}
