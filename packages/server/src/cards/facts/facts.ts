import type { GgufFacts } from '../reading/parse-gguf.ts';
import type { SafetensorsFacts } from '../reading/parse-safetensors.ts';
import type { JsonObject } from './json.ts';
import type { TransformersInfo } from './pipeline.ts';

/** Facts from a repository's files other than the metadata of its README. */
export interface CardDetails {
  readonly config?: JsonObject;
  readonly transformersInfo?: TransformersInfo;
  readonly safetensors?: SafetensorsFacts & { readonly sharded?: true };
  readonly gguf?: GgufFacts;
  readonly mask_token?: string;
}

/** All facts from the files of a commit. */
export interface CardFacts {
  readonly card: JsonObject | undefined;
  readonly error: string | undefined;
  readonly tags: readonly string[];
  readonly library: string | undefined;
  readonly pipeline: string | undefined;
  readonly details: CardDetails;
}
