import { isObject, type Json, type JsonObject, own, textAt, textsAt, withinLimit } from './json.ts';

const MAX_TEMPLATE_LENGTH = 64 * 1024;
const MAX_PART_LENGTH = 16 * 1024;
const TOKENS = ['bos_token', 'cls_token', 'eos_token', 'mask_token', 'pad_token', 'sep_token', 'unk_token'];

/** The files with which libraries describe a model; undefined for absent files. */
export interface ConfigFiles {
  readonly config: JsonObject | undefined;
  readonly tokenizer: JsonObject | undefined;
  /** The `model_index.json` of diffusers. */
  readonly pipeline: JsonObject | undefined;
  /** The `adapter_config.json` of peft. */
  readonly adapter: JsonObject | undefined;
}

/** Returns a special token, which is a string or an object with `content`. */
const tokenAt = (tokenizer: JsonObject | undefined, name: string): string | undefined =>
  textAt(tokenizer, name) ?? textAt(own(tokenizer, name), 'content');

function tokenizerPart(tokenizer: JsonObject | undefined): JsonObject | undefined {
  const part: JsonObject = {};
  for (const name of TOKENS) {
    const token = withinLimit(tokenAt(tokenizer, name), MAX_PART_LENGTH);
    if (token !== undefined) part[name] = token;
  }
  const template = withinLimit(own(tokenizer, 'chat_template'), MAX_TEMPLATE_LENGTH);
  if (template !== undefined) part.chat_template = template;
  return Object.keys(part).length > 0 ? part : undefined;
}

const pick = (source: JsonObject | undefined, names: readonly string[]): JsonObject =>
  Object.fromEntries(
    names.flatMap((name): [string, Json][] => {
      const value = withinLimit(own(source, name), MAX_PART_LENGTH);
      return value === undefined ? [] : [[name, value]];
    }),
  );

/** Returns the shown part of a model's configuration: the values that decide how the model is loaded. */
export function configOf({ config, tokenizer, pipeline, adapter }: ConfigFiles): JsonObject | undefined {
  const architectures = textsAt(config, 'architectures').filter((name) => name.length <= 200);
  const tokenizerConfig = tokenizerPart(tokenizer);
  const diffusers = pick(pipeline, ['_class_name']);
  const peft = pick(adapter, ['base_model_name_or_path', 'task_type', 'peft_type']);
  const all: JsonObject = {
    ...(architectures.length > 0 && { architectures: architectures.slice(0, 20) }),
    ...pick(config, ['model_type', 'auto_map', 'quantization_config']),
    ...(tokenizerConfig && { tokenizer_config: tokenizerConfig }),
    ...(Object.keys(diffusers).length > 0 && { diffusers }),
    ...(Object.keys(peft).length > 0 && { peft }),
  };
  return Object.keys(all).length > 0 ? all : undefined;
}

export const maskTokenOf = ({ tokenizer }: ConfigFiles): string | undefined => {
  const token = tokenAt(tokenizer, 'mask_token');
  return token !== undefined && token.length <= 100 ? token : undefined;
};

/** Parses a text as a JSON object; returns undefined for any other text. */
export function objectIn(text: string): JsonObject | undefined {
  try {
    const value: Json = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
