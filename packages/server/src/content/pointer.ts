/** The content of the file that git stores in place of a large file. */
export interface Pointer {
  readonly sha256: string;
  readonly size: number;
}

/** The specification of git-lfs requires pointers to be shorter. */
export const MAX_POINTER_BYTES = 1024;

const POINTER =
  /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n(?:ext-[^\n]*\n)*oid sha256:([0-9a-f]{64})\nsize (\d{1,15})\n?$/;

export const encodePointer = ({ sha256, size }: Pointer): Buffer =>
  Buffer.from(`version https://git-lfs.github.com/spec/v1\noid sha256:${sha256}\nsize ${size}\n`);

/** Parses the content of a file as a pointer; returns undefined for other content. */
export function parsePointer(body: Buffer): Pointer | undefined {
  if (body.length >= MAX_POINTER_BYTES) return undefined;
  const [, sha256, size] = POINTER.exec(body.toString('latin1')) ?? [];
  return sha256 === undefined ? undefined : { sha256, size: Number(size) };
}
