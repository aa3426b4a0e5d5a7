import type { RepoType } from '@moonbase/contract/primitives';
import { type NamedObject, named } from '../../platform/git/objects/object.ts';
import { encodeTree, MODES } from '../../platform/git/objects/tree.ts';

/** What every new repository keeps as large files. */
const LARGE = [
  ...['*.7z', '*.arrow', '*.bin', '*.bin.*', '*.bz2', '*.ckpt', '*.ftz', '*.gz', '*.h5', '*.joblib', '*.lfs.*'],
  ...['*.lz4', '*.mlmodel', '*.model', '*.msgpack', '*.npy', '*.npz', '*.onnx', '*.ot', '*.parquet', '*.pb'],
  ...['*.pickle', '*.pkl', '*.pt', '*.pth', '*.rar', '*.safetensors', 'saved_model/**/*', '*.tar.*', '*.tar'],
  ...['*.tflite', '*.tgz', '*.wasm', '*.xz', '*.zip', '*.zst', '*tfevents*'],
];

/** What a dataset keeps as large files beside. */
const LARGE_MEDIA = [
  ...['*.pcm', '*.sam', '*.raw', '*.aac', '*.flac', '*.mp3', '*.ogg', '*.wav'],
  ...['*.bmp', '*.gif', '*.png', '*.tiff', '*.jpg', '*.jpeg', '*.webp', '*.mp4', '*.webm'],
];

const attributes = (patterns: readonly string[]): NamedObject =>
  named({
    type: 'blob',
    body: Buffer.from(patterns.map((pattern) => `${pattern} filter=lfs diff=lfs merge=lfs -text\n`).join('')),
  });

const treeOf = ({ id }: NamedObject): NamedObject =>
  named({ type: 'tree', body: encodeTree([{ name: '.gitattributes', mode: MODES.file, id }]) });

const ATTRIBUTES = attributes(LARGE);
const DATASET_ATTRIBUTES = attributes([...LARGE, ...LARGE_MEDIA]);
const FIRST_TREE = treeOf(ATTRIBUTES);
const FIRST_DATASET_TREE = treeOf(DATASET_ATTRIBUTES);
const EMPTY_TREE = named({ type: 'tree', body: Buffer.alloc(0) });

/** Returns the tree with which a repository begins. */
export const firstTree = (type: RepoType): string => (type === 'dataset' ? FIRST_DATASET_TREE : FIRST_TREE).id;

export const EMPTY_TREE_ID = EMPTY_TREE.id;

/**
 * The objects behind each tree of a root commit, with the tree itself. What was ever in this table stays in it: stored
 * commits refer to it.
 */
export const ROOT_TREES: ReadonlyMap<string, readonly NamedObject[]> = new Map([
  [FIRST_TREE.id, [ATTRIBUTES, FIRST_TREE]],
  [FIRST_DATASET_TREE.id, [DATASET_ATTRIBUTES, FIRST_DATASET_TREE]],
  [EMPTY_TREE.id, [EMPTY_TREE]],
]);
