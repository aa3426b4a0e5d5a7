import { preupload } from '../generated/content.ts';
import type { Hub } from '../request.ts';
import type { CreateHash } from './hashing.ts';
import { isFile } from './identity.ts';
import type { Destination } from './repo-file.ts';
import { retrying } from './retrying.ts';
import { base64Of, bytesOf, type FileSource } from './source.ts';

/** A file with its path in the repository. */
export interface PlacedFile {
  readonly path: string;
  readonly source: FileSource;
}

export interface Plan {
  readonly regular: readonly PlacedFile[];
  readonly large: readonly PlacedFile[];
  readonly unchanged: readonly string[];
  /** The files excluded by `.gitignore`. */
  readonly ignored: readonly string[];
  /** The current head of the branch. */
  readonly head: string | undefined;
}

const SAMPLE_BYTES = 512;
/** The number of files per request, whose samples and paths fit into its body. */
const FILES_PER_REQUEST = 250;
/** The maximum size of a pattern file that the hub reads. */
const MAX_PATTERN_BYTES = 256 * 1024;

/** Asks the hub how to upload each file, and leaves out files that the repository already has. */
export async function planUpload(
  hub: Hub,
  at: Destination,
  files: readonly PlacedFile[],
  createHash: CreateHash,
): Promise<Plan> {
  const patterns = {
    gitAttributes: await textIn(files, '.gitattributes'),
    gitIgnore: await textIn(files, '.gitignore'),
  };
  const lists: { regular: PlacedFile[]; large: PlacedFile[]; unchanged: string[]; ignored: string[] } = {
    ...{ regular: [], large: [], unchanged: [], ignored: [] },
  };
  let head: string | undefined;
  for (let from = 0; from < files.length; from += FILES_PER_REQUEST) {
    const group = files.slice(from, from + FILES_PER_REQUEST);
    const samples = await Promise.all(group.map(sampleOf));
    const answer = await retrying(hub, () =>
      preupload({ ...hub, ...at, revision: at.branch, files: samples, ...patterns }),
    );
    head ??= answer.commitOid;
    for (const [index, file] of group.entries()) {
      const { uploadMode, shouldIgnore, oid } = answer.files[index] ?? {};
      if (shouldIgnore) lists.ignored.push(file.path);
      else if (oid !== undefined && (await isFile(file.source, oid, createHash))) lists.unchanged.push(file.path);
      else (uploadMode === 'lfs' ? lists.large : lists.regular).push(file);
    }
  }
  return { ...lists, head };
}

async function sampleOf({ path, source }: PlacedFile) {
  const bytes = await bytesOf(source.slice(0, Math.min(SAMPLE_BYTES, source.size)));
  return { path, size: source.size, sample: base64Of(bytes) };
}

/** Returns the text of a pattern file in the upload, since its patterns apply to the files uploaded with it. */
async function textIn(files: readonly PlacedFile[], path: string): Promise<string | undefined> {
  const file = files.find((each) => each.path === path);
  if (!file || file.source.size > MAX_PATTERN_BYTES) return undefined;
  return new TextDecoder().decode(await bytesOf(file.source));
}
