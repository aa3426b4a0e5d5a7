import type { ObjectWriter } from '../../platform/git/object-writer.ts';
import { pathFault } from '../../platform/git/paths.ts';
import type { TreeChange } from '../../platform/git/tree-changes.ts';
import { badRequest, HubError } from '../../platform/http/errors.ts';
import { linesOf, textOf } from '../../platform/http/input/body-lines.ts';
import { encodePointer } from '../pointer.ts';
import { type CommitLine, contentOf, lineOf, linesOfDocument } from './operations.ts';

export const MAX_REGULAR_BYTES = 10 * 1024 * 1024;
const MAX_OPERATIONS = 25_000;
const MAX_BODY_BYTES = 1024 * 1024 * 1024;
/** A smaller bound than that of streamed bodies, because a document is parsed in one piece. */
const MAX_DOCUMENT_BYTES = 32 * 1024 * 1024;
/** The largest regular file in base64, plus the JSON around it. */
const MAX_LINE_BYTES = Math.ceil((MAX_REGULAR_BYTES * 4) / 3) + 64 * 1024;

/** A large file that a commit refers to. */
export interface NamedLargeFile {
  readonly path: string;
  readonly sha256: string;
  readonly size: number | undefined;
}

/** The content of a commit request; the writer already has the bytes of the files. */
export interface Upload {
  readonly summary: string;
  readonly description: string;
  readonly parentCommit: string | undefined;
  readonly changes: readonly TreeChange[];
  readonly largeFiles: readonly NamedLargeFile[];
}

/** Returns the sizes of the given large files that the repository has. */
export type FindLargeFiles = (sha256s: readonly string[]) => Promise<ReadonlyMap<string, { readonly size: number }>>;

async function* linesIn(body: AsyncIterable<Uint8Array>, isDocument: boolean): AsyncGenerator<CommitLine, void> {
  if (isDocument) {
    const pieces: Uint8Array[] = [];
    let bytes = 0;
    for await (const piece of body) {
      bytes += piece.length;
      if (bytes > MAX_DOCUMENT_BYTES)
        throw new HubError(413, 'The body is larger than 32 MiB: send it as application/x-ndjson');
      pieces.push(piece);
    }
    yield* linesOfDocument(textOf(Buffer.concat(pieces)));
    return;
  }
  let number = 0;
  for await (const text of linesOf(body, { maxLineBytes: MAX_LINE_BYTES, maxBytes: MAX_BODY_BYTES }))
    yield lineOf(text, ++number);
}

function requirePath(path: string): string {
  const fault = pathFault(path);
  if (fault) throw new HubError(422, `The path ${JSON.stringify(path.slice(0, 200))} ${fault}`);
  return path;
}

/** Collects the changes that the lines ask for. */
class Changes {
  readonly all: TreeChange[] = [];
  readonly largeFiles: NamedLargeFile[] = [];
  /** Maps each large file to the index in `all` that is reserved for its pointer. */
  readonly #indexes = new Map<NamedLargeFile, number>();
  readonly #writer: ObjectWriter;

  constructor(writer: ObjectWriter) {
    this.#writer = writer;
  }

  async add(line: Exclude<CommitLine, { key: 'header' }>): Promise<void> {
    const path = requirePath(line.key === 'deletedFolder' ? line.value.path.replace(/\/$/, '') : line.value.path);
    switch (line.key) {
      case 'file': {
        const body = contentOf(line.value);
        if (body.length > MAX_REGULAR_BYTES)
          throw new HubError(
            413,
            `${path} has ${body.length} bytes: a file above 10 MiB must be uploaded as a large file`,
          );
        this.#replace(line.value.oldPath, path);
        this.all.push({ kind: 'put', path, id: await this.#writer.add({ type: 'blob', body }) });
        return;
      }
      case 'lfsFile': {
        this.#replace(line.value.oldPath, path);
        const file = { path, sha256: line.value.oid, size: line.value.size ?? undefined };
        this.largeFiles.push(file);
        this.#indexes.set(file, this.all.length);
        this.all.push({ kind: 'put', path, id: '' });
        return;
      }
      case 'deletedFolder':
        this.all.push({ kind: 'delete-folder', path });
        return;
      // Clients name a folder without its final slash in this way, too.
      case 'deletedFile':
      case 'deletedEntry':
        this.all.push({ kind: 'delete-entry', path });
        return;
    }
  }

  #replace(oldPath: string | null | undefined, path: string): void {
    if (oldPath && oldPath !== path) this.all.push({ kind: 'delete', path: requirePath(oldPath) });
  }

  /** Writes the pointers of the large files. Throws 400 if the repository lacks one of the files. */
  async addPointers(findLargeFiles: FindLargeFiles): Promise<void> {
    if (this.largeFiles.length === 0) return;
    const found = await findLargeFiles([...new Set(this.largeFiles.map(({ sha256 }) => sha256))]);
    for (const file of this.largeFiles) {
      const known = found.get(file.sha256);
      if (!known || (file.size !== undefined && file.size !== known.size))
        throw badRequest(
          `LFS pointer pointed to a file that does not exist: ${file.path} (${file.sha256}) is not in storage`,
        );
      const body = encodePointer({ sha256: file.sha256, size: known.size });
      const id = await this.#writer.add({ type: 'blob', body });
      this.all[this.#indexes.get(file) ?? 0] = { kind: 'put', path: file.path, id };
    }
  }
}

/** Reads the body of a commit and passes the bytes of its files to the writer as they arrive. */
export async function readUpload(
  body: AsyncIterable<Uint8Array>,
  { isDocument, writer, findLargeFiles }: { isDocument: boolean; writer: ObjectWriter; findLargeFiles: FindLargeFiles },
): Promise<Upload> {
  let header: Extract<CommitLine, { key: 'header' }>['value'] | undefined;
  const changes = new Changes(writer);
  for await (const line of linesIn(body, isDocument)) {
    if (line.key !== 'header') await changes.add(line);
    else if (header) throw badRequest('The body has two headers');
    else header = line.value;
    if (changes.all.length > MAX_OPERATIONS)
      throw new HubError(413, `A commit can have at most ${MAX_OPERATIONS} operations: split it into several commits`);
  }
  if (!header) throw badRequest('The body needs a header with a summary');
  await changes.addPointers(findLargeFiles);
  return {
    summary: header.summary,
    description: header.description ?? '',
    parentCommit: header.parentCommit ?? undefined,
    changes: changes.all,
    largeFiles: changes.largeFiles,
  };
}
