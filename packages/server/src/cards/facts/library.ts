import { type JsonObject, textAt, textsAt } from './json.ts';

/** The libraries that a tag of a README can name. */
const KNOWN = new Set([
  ...['adapter-transformers', 'allennlp', 'asteroid', 'bertopic', 'coreml', 'diffusers', 'espnet', 'fairseq'],
  ...['fastai', 'fasttext', 'flair', 'gguf', 'keras', 'mlx', 'nemo', 'open_clip', 'onnx', 'paddlenlp', 'peft'],
  ...['pyannote-audio', 'pythae', 'sample-factory', 'sentence-transformers', 'setfit', 'sklearn', 'spacy'],
  ...['speechbrain', 'stable-baselines3', 'stanza', 'tensorflowtts', 'timm', 'transformers', 'transformers.js'],
  ...['ultralytics', 'unity-sentis', 'ml-agents', 'vllm', 'mlx-vlm', 'llamafile', 'lerobot', 'terratorch'],
]);

/** Files that say which library wrote them; the library of a model is the first that fits. */
const BY_FILE: readonly (readonly [file: RegExp, library: string])[] = [
  [/^adapter_config\.json$/, 'peft'],
  [/^model_index\.json$/, 'diffusers'],
  [/^modules\.json$/, 'sentence-transformers'],
  [/^[^/]*\.nemo$/, 'nemo'],
  [/\.mlmodel$|\.mlpackage\//, 'coreml'],
  [/^[^/]*\.gguf$/, 'gguf'],
];

/** Files that show as tags, whatever the library is. */
const TAGS_BY_FILE: readonly (readonly [file: RegExp, tag: string])[] = [
  [/^pytorch_model[^/]*\.bin$/, 'pytorch'],
  [/^tf_model\.h5$/, 'tf'],
  [/^flax_model[^/]*\.msgpack$/, 'jax'],
  [/\.onnx$/, 'onnx'],
  [/(^|\/)[^/]*tfevents[^/]*$/, 'tensorboard'],
  [/\.safetensors$/, 'safetensors'],
  [/\.gguf$/, 'gguf'],
  [/\.mlmodel$/, 'coreml'],
];

/** Returns the library of a model: as its README says, by a tag of it that is one, or by its files. */
export function libraryOf(card: JsonObject | undefined, paths: readonly string[]): string | undefined {
  const told = textAt(card, 'library_name') ?? textsAt(card, 'tags').find((tag) => KNOWN.has(tag));
  return told ?? BY_FILE.find(([file]) => paths.some((path) => file.test(path)))?.[1];
}

/** Returns the tags that the files of a model are reason for. */
export const fileTags = (paths: readonly string[]): string[] =>
  TAGS_BY_FILE.filter(([file]) => paths.some((path) => file.test(path))).map(([, tag]) => tag);
