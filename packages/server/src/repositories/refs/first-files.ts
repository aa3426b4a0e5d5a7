import type { RepoType } from '@moonbase/contract/primitives';
import { type NamedObject, withId } from '../../platform/git/objects/object.ts';
import { encodeTree, MODES } from '../../platform/git/objects/tree.ts';

/** Patterns of large files in the `.gitattributes` of every new repository. */
const LARGE_PATTERNS = [
  ...['*.7z', '*.arrow', '*.bin', '*.bin.*', '*.bz2', '*.ckpt', '*.ftz', '*.gz', '*.h5', '*.joblib', '*.lfs.*'],
  ...['*.lz4', '*.mlmodel', '*.model', '*.msgpack', '*.npy', '*.npz', '*.onnx', '*.ot', '*.parquet', '*.pb'],
  ...['*.pickle', '*.pkl', '*.pt', '*.pth', '*.rar', '*.safetensors', 'saved_model/**/*', '*.tar.*', '*.tar'],
  ...['*.tflite', '*.tgz', '*.wasm', '*.xz', '*.zip', '*.zst', '*tfevents*'],
];

/** Additional patterns of large files in datasets. */
const LARGE_MEDIA_PATTERNS = [
  ...['*.pcm', '*.sam', '*.raw', '*.aac', '*.flac', '*.mp3', '*.ogg', '*.wav'],
  ...['*.bmp', '*.gif', '*.png', '*.tiff', '*.jpg', '*.jpeg', '*.webp', '*.mp4', '*.webm'],
];

const attributes = (patterns: readonly string[]): NamedObject =>
  withId({
    type: 'blob',
    body: Buffer.from(patterns.map((pattern) => `${pattern} filter=lfs diff=lfs merge=lfs -text\n`).join('')),
  });

const treeOf = ({ id }: NamedObject): NamedObject =>
  withId({ type: 'tree', body: encodeTree([{ name: '.gitattributes', mode: MODES.file, id }]) });

const ATTRIBUTES = attributes(LARGE_PATTERNS);
const DATASET_ATTRIBUTES = attributes([...LARGE_PATTERNS, ...LARGE_MEDIA_PATTERNS]);
const FIRST_TREE = treeOf(ATTRIBUTES);
const FIRST_DATASET_TREE = treeOf(DATASET_ATTRIBUTES);
const EMPTY_TREE = withId({ type: 'tree', body: Buffer.alloc(0) });

/** Returns the id of a new repository's first tree. */
export const firstTree = (type: RepoType): string => (type === 'dataset' ? FIRST_DATASET_TREE : FIRST_TREE).id;

export const EMPTY_TREE_ID = EMPTY_TREE.id;

/**
 * The trees of root commits with their objects, by id. Entries must never be removed, because stored commits refer to
 * them.
 */
export const ROOT_TREES: ReadonlyMap<string, readonly NamedObject[]> = new Map([
  [FIRST_TREE.id, [ATTRIBUTES, FIRST_TREE]],
  [FIRST_DATASET_TREE.id, [DATASET_ATTRIBUTES, FIRST_DATASET_TREE]],
  [EMPTY_TREE.id, [EMPTY_TREE]],
]);
