import type { CommitFile } from '../../content/index.ts';
import type { CardDetails } from '../facts/facts.ts';
import type { SafetensorsFacts } from './parse-safetensors.ts';
import type { WeightThreads } from './weight-threads.ts';

/** Bounds the header of a file, which is read whole. */
const MAX_HEADER_BYTES = 16 * 1024 * 1024;
/** Bounds the headers of a model's files together. */
const MAX_HEADERS_BYTES = 64 * 1024 * 1024;
const MAX_SHARDS = 512;
const LENGTH_BYTES = 8;
/** Most headers fit into the first read. */
const FIRST_BYTES = 256 * 1024;

const SHARD = /^(?:model|diffusion_pytorch_model)-\d{5}-of-\d{5}\.safetensors$/;

type Weights = Pick<CardDetails, 'safetensors' | 'gguf'>;

/** Returns the files that together form the model. */
function safetensorsOf(files: readonly CommitFile[]): readonly CommitFile[] {
  const atRoot = files.filter(({ path }) => /^[^/]+\.safetensors$/.test(path));
  const whole = atRoot.find(({ path }) => path === 'model.safetensors');
  if (whole) return [whole];
  const shards = atRoot.filter(({ path }) => SHARD.test(path));
  if (shards.length > 0) return shards.length > MAX_SHARDS ? [] : shards;
  return atRoot.length === 1 ? atRoot : [];
}

/** Returns the header of a safetensors file; undefined if its declared length is impossible or too large. */
async function headerOf(file: CommitFile, maxBytes: number): Promise<Buffer | undefined> {
  const beginning = await file.bytes(0, FIRST_BYTES);
  if (beginning.length < LENGTH_BYTES) return undefined;
  const length = Number(beginning.readBigUInt64LE(0));
  const size = await file.size();
  if (length > Math.min(maxBytes, MAX_HEADER_BYTES, size - LENGTH_BYTES)) return undefined;
  const end = LENGTH_BYTES + length;
  if (end <= beginning.length) return beginning.subarray(LENGTH_BYTES, end);
  const rest = await file.bytes(beginning.length, end - beginning.length);
  return Buffer.concat([beginning.subarray(LENGTH_BYTES), rest]);
}

function sum(all: readonly SafetensorsFacts[]): SafetensorsFacts {
  const parameters = new Map<string, number>();
  for (const each of all)
    for (const [dtype, count] of Object.entries(each.parameters))
      parameters.set(dtype, (parameters.get(dtype) ?? 0) + count);
  return { parameters: Object.fromEntries(parameters), total: all.reduce((total, each) => total + each.total, 0) };
}

/** Counts the parameters of a model; returns nothing if one of its files cannot be read. */
async function readSafetensors(files: readonly CommitFile[], threads: WeightThreads): Promise<Weights> {
  const shards = safetensorsOf(files);
  if (shards.length === 0) return {};
  const counted: SafetensorsFacts[] = [];
  let remaining = MAX_HEADERS_BYTES;
  for (const file of shards) {
    const header = await headerOf(file, remaining);
    const facts = header && (await threads.safetensors(header.toString()));
    if (!facts) return {};
    remaining -= header.length;
    counted.push(facts);
  }
  const safetensors = sum(counted);
  if (!Number.isSafeInteger(safetensors.total)) return {};
  return { safetensors: { ...safetensors, ...(shards.length > 1 && { sharded: true as const }) } };
}

async function readGguf(files: readonly CommitFile[], threads: WeightThreads): Promise<Weights> {
  const file = files.find(({ path }) => /^[^/]+\.gguf$/.test(path));
  const gguf = file && (await threads.gguf(await file.bytes(0, MAX_HEADER_BYTES)));
  return gguf ? { gguf } : {};
}

/** Reads the headers of a model's weights, and nothing else of the files. */
export async function readWeights(files: readonly CommitFile[], createThreads: () => WeightThreads): Promise<Weights> {
  if (!files.some(({ path }) => /^[^/]+\.(safetensors|gguf)$/.test(path))) return {};
  const threads = createThreads();
  try {
    return { ...(await readSafetensors(files, threads)), ...(await readGguf(files, threads)) };
  } finally {
    await threads.close();
  }
}
