import type { Visitor } from '../../platform/http/authenticate.ts';
import type { Repository } from '../../repositories/index.ts';

/** What the slice of Xet says of large files. */
export interface XetFacts {
  /** Returns the Xet hashes of those of some files of a repository that can be downloaded through Xet. */
  readonly hashesOf: (repoId: string, sha256s: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  readonly linksTo: (
    caller: Visitor,
    repo: Repository,
    commit: string | undefined,
    hash: string,
  ) => { readonly refreshUrl: string; readonly reconstructionUrl: string };
}

/** The type by which clients ask for what they need to download a file through Xet, instead of its bytes (C§4.2). */
const FILE_INFO_TYPE = 'application/vnd.xet-fileinfo+json';

export const acceptsFileInfo = (accept: string | undefined): boolean => accept?.includes(FILE_INFO_TYPE) ?? false;

interface LinkedFile {
  readonly hash: string;
  readonly sha256: string;
  readonly size: number;
  readonly links: ReturnType<XetFacts['linksTo']>;
}

/** Returns the headers by which clients know that they can download a file through Xet. */
export const xetHeaders = ({ hash, links: { refreshUrl, reconstructionUrl } }: LinkedFile) => ({
  'x-xet-hash': hash,
  link: `<${refreshUrl}>; rel="xet-auth", <${reconstructionUrl}>; rel="xet-reconstruction-info"`,
});

/** Returns what clients that accept it get instead of the bytes of a file. */
export function fileInfo({ hash, sha256, size, links }: LinkedFile) {
  const etag = `"${sha256}"`;
  return {
    body: JSON.stringify({ hash, ...links, etag, size }),
    headers: { 'content-type': FILE_INFO_TYPE, etag, 'x-linked-etag': etag, 'x-linked-size': String(size) },
  };
}
