import { type JsonObject, textAt, textsAt } from './json.ts';

/** The libraries that a tag of a README can name. */
const LIBRARIES = new Set([
  ...['adapter-transformers', 'allennlp', 'asteroid', 'bertopic', 'coreml', 'diffusers', 'espnet', 'fairseq'],
  ...['fastai', 'fasttext', 'flair', 'gguf', 'keras', 'mlx', 'nemo', 'open_clip', 'onnx', 'paddlenlp', 'peft'],
  ...['pyannote-audio', 'pythae', 'sample-factory', 'sentence-transformers', 'setfit', 'sklearn', 'spacy'],
  ...['speechbrain', 'stable-baselines3', 'stanza', 'tensorflowtts', 'timm', 'transformers', 'transformers.js'],
  ...['ultralytics', 'unity-sentis', 'ml-agents', 'vllm', 'mlx-vlm', 'llamafile', 'lerobot', 'terratorch'],
]);

/** Files that reveal the library of a model; the first match wins. */
const BY_FILE: readonly (readonly [file: RegExp, library: string])[] = [
  [/^adapter_config\.json$/, 'peft'],
  [/^model_index\.json$/, 'diffusers'],
  [/^modules\.json$/, 'sentence-transformers'],
  [/^[^/]*\.nemo$/, 'nemo'],
  [/\.mlmodel$|\.mlpackage\//, 'coreml'],
  [/^[^/]*\.gguf$/, 'gguf'],
];

/** Files that become tags, whatever the library. */
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

/**
 * Returns the library of a model: the one that its README declares, else the first tag that names a library, else by
 * its files.
 */
export function libraryOf(card: JsonObject | undefined, paths: readonly string[]): string | undefined {
  const declared = textAt(card, 'library_name') ?? textsAt(card, 'tags').find((tag) => LIBRARIES.has(tag));
  return declared ?? BY_FILE.find(([file]) => paths.some((path) => file.test(path)))?.[1];
}

/** Returns the tags that follow from the files of a model. */
export const fileTags = (paths: readonly string[]): string[] =>
  TAGS_BY_FILE.filter(([file]) => paths.some((path) => file.test(path))).map(([, tag]) => tag);
