import type { RepoType } from '@moonbase/contract/primitives';
import type { CommitFile } from '../../content/index.ts';
import { configOf, maskTokenOf, objectIn } from '../facts/config.ts';
import type { CardDetails, CardFacts } from '../facts/facts.ts';
import { type JsonObject, textAt } from '../facts/json.ts';
import { libraryOf } from '../facts/library.ts';
import { pipelineOf, transformersInfoOf } from '../facts/pipeline.ts';
import { isTag, tagsOf } from '../facts/tags.ts';
import type { CardThread } from './card-thread.ts';
import { MAX_README_BYTES, metadataOf } from './front-matter.ts';
import { createWeightThreads } from './weight-threads.ts';
import { readWeights } from './weights.ts';

/** Larger configuration files are ignored. */
const MAX_CONFIG_BYTES = 2 * 1024 * 1024;
const TOO_LARGE = 'The metadata is larger than 1 MiB';

export interface Card {
  readonly card?: JsonObject | undefined;
  readonly error?: string | undefined;
}

/** Returns the metadata of a README or the reason why it cannot be read; neither if the README has no metadata. */
export async function readMetadata(
  readme: string,
  { thread, isCut, caller }: { thread: CardThread; isCut?: boolean; caller?: string },
): Promise<Card> {
  const metadata = metadataOf(readme, isCut);
  if (metadata === undefined) return {};
  if (metadata === null || metadata.length > MAX_README_BYTES) return { error: TOO_LARGE };
  if (metadata.includes('\ufffd')) return { error: 'The metadata is not UTF-8' };
  const parsed = await thread.parse(metadata, caller);
  return 'json' in parsed ? { card: objectIn(parsed.json) } : { error: parsed.error.replace(/\p{C}+/gu, ' ') };
}

/** Reads the metadata from the README among the files of a commit, in the queue of its caller. */
export async function readMetadataOf(
  files: readonly CommitFile[],
  { thread, caller }: { readonly thread: CardThread; readonly caller: string },
): Promise<Card> {
  const file = files.find(({ path }) => path === 'README.md');
  if (!file) return {};
  const readme = (await file.bytes(0, MAX_README_BYTES)).toString();
  return readMetadata(readme, { thread, isCut: (await file.size()) > MAX_README_BYTES, caller });
}

/** Reads the facts from the files of a commit: its README, its configuration and the headers of its weights. */
export async function readCard(
  { type, sdk }: { readonly type: RepoType; readonly sdk: string | undefined },
  files: readonly CommitFile[],
  thread: CardThread,
): Promise<CardFacts> {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const textOf = async (path: string, maxBytes: number) =>
    (await byPath.get(path)?.bytes(0, maxBytes))?.toString() ?? '';
  async function objectAt(path: string): Promise<JsonObject | undefined> {
    const file = type === 'model' ? byPath.get(path) : undefined;
    return file && (await file.size()) <= MAX_CONFIG_BYTES ? objectIn(await textOf(path, MAX_CONFIG_BYTES)) : undefined;
  }

  const readme = await textOf('README.md', MAX_README_BYTES);
  const isCut = ((await byPath.get('README.md')?.size()) ?? 0) > MAX_README_BYTES;
  const { card, error } = await readMetadata(readme, { thread, isCut });
  const configs = {
    config: await objectAt('config.json'),
    tokenizer: await objectAt('tokenizer_config.json'),
    pipeline: await objectAt('model_index.json'),
    adapter: await objectAt('adapter_config.json'),
  };
  const paths = files.map(({ path }) => path);
  const ifTag = (text: string | undefined) => (text !== undefined && isTag(text) ? text : undefined);
  const library = type === 'model' ? ifTag(libraryOf(card, paths)) : undefined;
  const pipeline = type === 'model' ? ifTag(pipelineOf(card, configs.config, library)) : undefined;
  const config = configOf(configs);
  const transformersInfo = transformersInfoOf(configs.config, { library, pipeline });
  const maskToken = maskTokenOf(configs);
  const details: CardDetails = {
    ...(config && { config }),
    ...(transformersInfo && { transformersInfo }),
    ...(maskToken !== undefined && { mask_token: maskToken }),
    ...(type === 'model' && (await readWeights(files, createWeightThreads))),
  };
  const space = textAt(card, 'sdk') ?? sdk;
  const tags = tagsOf({ type, card, readme, paths, config: configs.config, library, pipeline, sdk: space });
  return { card, error, tags, library, pipeline, details };
}
