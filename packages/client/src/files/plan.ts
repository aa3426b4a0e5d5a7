import { preupload } from '../generated/content.ts';
import type { Hub } from '../request.ts';
import { again } from './again.ts';
import type { CreateHash } from './hashing.ts';
import { isFile } from './identity.ts';
import type { Destination } from './repo-file.ts';
import { base64Of, bytesOf, type FileSource } from './source.ts';

/** A file with the path that it gets in the repository. */
export interface PlacedFile {
  readonly path: string;
  readonly source: FileSource;
}

export interface Plan {
  readonly regular: readonly PlacedFile[];
  readonly large: readonly PlacedFile[];
  readonly unchanged: readonly string[];
  /** Left out because of `.gitignore`. */
  readonly ignored: readonly string[];
  /** Where the branch is. */
  readonly head: string | undefined;
}

const SAMPLE_BYTES = 512;
/** Files of a request: their samples and paths fit into its body. */
const AT_ONCE = 250;
/** The hub looks at no longer ones. */
const MAX_PATTERN_BYTES = 256 * 1024;

/** Asks the hub what to do with each file, and leaves out those that it has. */
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
  for (let from = 0; from < files.length; from += AT_ONCE) {
    const group = files.slice(from, from + AT_ONCE);
    const samples = await Promise.all(group.map(sampled));
    const answer = await again(hub, () =>
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

async function sampled({ path, source }: PlacedFile) {
  const bytes = await bytesOf(source.slice(0, Math.min(SAMPLE_BYTES, source.size)));
  return { path, size: source.size, sample: base64Of(bytes) };
}

/** Files of patterns that are uploaded, too, count already for the files beside them. */
async function textIn(files: readonly PlacedFile[], path: string): Promise<string | undefined> {
  const file = files.find((each) => each.path === path);
  if (!file || file.source.size > MAX_PATTERN_BYTES) return undefined;
  return new TextDecoder().decode(await bytesOf(file.source));
}
