import type { FileRepo } from '@moonbase/client/files';

const PAGES = ['tree', 'blob', 'commits', 'commit', 'upload', 'edit'] as const;

/** A page of a repository, as its address names it. */
export interface Place extends FileRepo {
  readonly page: (typeof PAGES)[number];
  readonly revision: string;
  /** Without slashes at the ends; empty for the root. */
  readonly path: string;
}

const TYPES: Readonly<Record<string, FileRepo['type']>> = { datasets: 'dataset', spaces: 'space', kernels: 'kernel' };
/** First parts of addresses below which no repository is. */
const OTHERS = new Set(['inbox', 'webhooks', 'jobs', 'organizations', 'settings', 'papers', 'posts', 'blog', 'oauth']);

/** Returns the page that an address names; undefined where it is none of a repository. */
export function placeOf(pathname: string): Place | undefined {
  const parts = pathname.replace(/\/+$/, '').split('/').slice(1).map(decode);
  const type = TYPES[parts[0] ?? ''];
  const [namespace, name, pageName = 'tree', ...rest] = type ? parts.slice(1) : parts;
  const page = PAGES.find((each) => each === pageName);
  if (!namespace || !name || !page || OTHERS.has(namespace)) return undefined;
  // A full ref may stand in the address as it is.
  const length = rest[0] === 'refs' ? 3 : 1;
  const revision = rest.slice(0, length).join('/') || 'main';
  return { type: type ?? 'model', repo: `${namespace}/${name}`, page, revision, path: rest.slice(length).join('/') };
}

/** Returns the address of a page. */
export function hrefOf({ type, repo, page, revision, path }: Place): string {
  const home = `${type === 'model' ? '' : `/${type}s`}/${repo}`;
  if (page === 'tree' && revision === 'main' && path === '') return home;
  const parts = path === '' ? [] : path.split('/');
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

/** Writes a number of bytes for people. */
export function bytesText(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(BYTES.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${power === 0 ? bytes : (bytes / 1000 ** power).toFixed(1)} ${BYTES[power]}`;
}
