import { availableParallelism } from 'node:os';
import { HubError } from '../http/errors.ts';
import { createFairQueue } from '../threads/fair-queue.ts';
import { createLimitedThread, type LimitedThread, programText } from '../threads/limited-thread.ts';
import { ungroupBytes } from './byte-groups.ts';
import { createChunkCutter } from './chunk-cutter.ts';
import { HEADER_BYTES } from './chunk-header.ts';
import { CHUNK_RECORD_BYTES } from './chunk-list.ts';
import type { ChunkRun } from './chunk-runs.ts';
import { GEAR_TABLE } from './gear-table.ts';
import { CHUNK_KEY, HASH_LIBRARY } from './keyed-hashes.ts';
import { decodeLz4Frame } from './lz4-frame.ts';
import { createRunDecoder } from './run-decoder.ts';
import { XetFault } from './xet-fault.ts';

/** The number of threads, each of which takes a processor. */
const THREADS = Math.max(1, Math.min(4, Math.floor(availableParallelism() / 2)));
/** A run takes a few milliseconds of processor time; a thread that needs this much hangs. */
const MAX_RUN_MS = 10_000;
const RESOURCES = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 8 };
/** The priority of the threads, from -20 to 19: requests come first. */
const NICENESS = 5;

interface Work {
  readonly library: string;
  readonly chunkKey: string;
  readonly gearTable: string;
  readonly recordBytes: number;
  readonly niceness: number;
}

interface RunInput {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly headers: Int32Array;
  /** What the thread returns: the hash of each chunk, or the chunks without compression. */
  readonly wanted: 'hashes' | 'raw';
}

interface CutInput {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly areLast: boolean;
  readonly wanted: 'records';
}

type Input = RunInput | CutInput;

/** What was wanted of a run, and its bytes, which the thread has no more. */
interface RunOutput {
  readonly result: Uint8Array<ArrayBuffer>;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

type Output = RunOutput | Uint8Array | string;

/** Runs in the thread from its own source text, so it must refer to nothing but its parameters. */
function runInThread(
  require: NodeJS.Require,
  createCutter: typeof createChunkCutter,
  createDecoder: typeof createRunDecoder,
  ...parts: Parameters<typeof createRunDecoder>
): void {
  const { parentPort, workerData }: typeof import('node:worker_threads') = require('node:worker_threads');
  const { setPriority }: typeof import('node:os') = require('node:os');
  const { library, chunkKey, gearTable, recordBytes, niceness }: Work = workerData;
  const { Blake3Hasher }: typeof import('@napi-rs/blake-hash') = require(library);
  const hasher = Blake3Hasher.newKeyed(Buffer.from(chunkKey, 'hex'));
  const decode = createDecoder(...parts);
  const cut = createCutter(gearTable);
  try {
    // On Linux, 0 stands for the calling thread; elsewhere it stands for the process, which must keep its priority.
    if (process.platform === 'linux') setPriority(0, niceness);
  } catch {
    // A sandbox that forbids it costs others some time.
  }

  function hashOf(chunk: Buffer): Buffer {
    hasher.reset();
    return Buffer.from(hasher.update(chunk).digest('hex'), 'hex');
  }

  function hashesOf(raw: Uint8Array, headers: Int32Array): Uint8Array<ArrayBuffer> {
    const all = Buffer.from(raw.buffer, raw.byteOffset, raw.length);
    const hashes = new Uint8Array((headers.length / 3) * 32);
    let from = 0;
    for (let at = 2; at < headers.length; at += 3) {
      const to = from + (headers[at] ?? 0);
      hashes.set(hashOf(all.subarray(from, to)), ((at - 2) / 3) * 32);
      from = to;
    }
    return hashes;
  }

  function recordsOf(bytes: Uint8Array, areLast: boolean): Uint8Array {
    const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const lengths = cut(bytes, areLast);
    const records = Buffer.alloc(lengths.length * recordBytes);
    let from = 0;
    for (const [at, length] of lengths.entries()) {
      records.set(hashOf(all.subarray(from, from + length)), at * recordBytes);
      records.writeUInt32LE(length, at * recordBytes + 32);
      from += length;
    }
    return records;
  }

  /** Hashes chunks that are stored as they are, without moving them. */
  function hashesInPlace(bytes: Uint8Array, headers: Int32Array): Uint8Array<ArrayBuffer> {
    const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const hashes = new Uint8Array((headers.length / 3) * 32);
    let from = 8;
    for (let at = 0; at < headers.length; at += 3) {
      const to = from + (headers[at] ?? 0);
      hashes.set(hashOf(all.subarray(from, to)), (at / 3) * 32);
      from = to + 8;
    }
    return hashes;
  }

  function resultOf({ bytes, headers, wanted }: RunInput): Uint8Array<ArrayBuffer> | string {
    const areRaw = headers.every((number, at) => at % 3 !== 1 || number === 0);
    if (areRaw && wanted === 'hashes') return hashesInPlace(bytes, headers);
    const raw = decode(bytes, headers);
    return typeof raw === 'string' || wanted === 'raw' ? raw : hashesOf(raw, headers);
  }

  parentPort?.on('message', (input: Input) => {
    if (input.wanted === 'records') return parentPort.postMessage(recordsOf(input.bytes, input.areLast));
    const result = resultOf(input);
    if (typeof result === 'string') return parentPort.postMessage(result);
    const { bytes } = input;
    parentPort.postMessage({ result, bytes } satisfies RunOutput, [result.buffer, bytes.buffer]);
  });
  parentPort?.postMessage('ready');
}

const PARTS = [runInThread, createChunkCutter, createRunDecoder, decodeLz4Frame, ungroupBytes].map(String);
const SOURCE = programText(`(${PARTS[0]})(require, ${PARTS.slice(1).join(', ')})`);

const createThread = (): LimitedThread<Input, Output> =>
  createLimitedThread({
    source: SOURCE,
    data: {
      ...{ library: HASH_LIBRARY, chunkKey: CHUNK_KEY, gearTable: GEAR_TABLE },
      ...{ recordBytes: CHUNK_RECORD_BYTES, niceness: NICENESS },
    } satisfies Work,
    limitMs: MAX_RUN_MS,
    resources: RESOURCES,
  });

export type ChunkThreads = ReturnType<typeof createChunkThreads>;

/** Something about a run that was in a thread, and the run as it came back. */
interface FromThread {
  readonly run: ChunkRun;
  readonly result: Uint8Array;
}

/** Cuts, decompresses and hashes chunks off the event loop, run by run and in turn by whom they come from. */
export function createChunkThreads() {
  const threads = Array.from({ length: THREADS }, createThread);
  const free = [...threads];
  const waiting = createFairQueue<(thread: LimitedThread<Input, Output>) => Promise<void>>(() => 1);

  function serve(): void {
    for (let thread = free.pop(); thread; thread = free.pop()) {
      const own = thread;
      const next = waiting.take();
      if (!next) return void free.push(own);
      void next(own).finally(() => {
        free.push(own);
        serve();
      });
    }
  }

  async function work(from: string, input: Input): Promise<Exclude<Output, string>> {
    const result = await new Promise<Output | undefined>((resolve, reject) => {
      waiting.add(from, (thread) => thread.run(input, [input.bytes.buffer]).then(resolve, reject));
      serve();
    });
    if (result === undefined) throw busy();
    if (typeof result === 'string') throw new XetFault(result);
    return result;
  }

  async function ofRun(from: string, { bytes, headers }: ChunkRun, wanted: RunInput['wanted']): Promise<FromThread> {
    const numbers = Int32Array.from(
      headers.flatMap(({ storedBytes, scheme, rawBytes }) => [storedBytes, scheme, rawBytes]),
    );
    const output = await work(from, { bytes, headers: numbers, wanted });
    if (!('result' in output)) throw new Error('A thread took a run for bytes to cut');
    return { run: { bytes: Buffer.from(output.bytes.buffer, 0, output.bytes.length), headers }, result: output.result };
  }

  return {
    /**
     * Returns the hashes of the chunks, one after the other, and the run, whose memory goes to a thread and comes back. Throws
     * a `XetFault`; 503 if the machine is too busy.
     */
    async hashes(from: string, chunks: ChunkRun): Promise<{ readonly run: ChunkRun; readonly hashes: Uint8Array }> {
      const { run, result } = await ofRun(from, chunks, 'hashes');
      return { run, hashes: result };
    },
    /**
     * Returns the chunks without compression, one after the other, and the run, whose memory they may lie in. Throws the
     * same.
     */
    async raw(from: string, chunks: ChunkRun): Promise<{ readonly run: ChunkRun; readonly raw: Uint8Array }> {
      if (chunks.headers.every(({ scheme }) => scheme === 0)) return { run: chunks, raw: withoutHeaders(chunks) };
      const { run, result } = await ofRun(from, chunks, 'raw');
      return { run, raw: result };
    },
    /**
     * Cuts bytes that begin with a chunk; returns the records of a chunk list for those that are complete. Throws 503 if the
     * machine is too busy.
     */
    async records(from: string, bytes: Uint8Array, areLast: boolean): Promise<Uint8Array> {
      // The thread takes a copy, because the caller goes on with the bytes.
      const records = await work(from, { bytes: new Uint8Array(bytes), areLast, wanted: 'records' });
      if ('result' in records) throw new Error('A thread took bytes to cut for a run');
      return records;
    },
    close: async (): Promise<void> => void (await Promise.all(threads.map((thread) => thread.close()))),
  };
}

/** Moves the bytes of chunks that are stored as they are together, over their headers. */
function withoutHeaders({ bytes, headers }: ChunkRun): Uint8Array {
  let [from, to] = [HEADER_BYTES, 0];
  for (const { storedBytes } of headers) {
    bytes.copyWithin(to, from, from + storedBytes);
    to += storedBytes;
    from += storedBytes + HEADER_BYTES;
  }
  return bytes.subarray(0, to);
}

const busy = () =>
  new HubError(503, 'The hub is too busy to check this upload; try again in a minute', {
    headers: { 'retry-after': '60' },
  });
