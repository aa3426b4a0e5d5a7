import { createLimitedThread, type LimitedThread, programText } from '../../platform/threads/limited-thread.ts';
import { type GgufFacts, parseGguf } from './parse-gguf.ts';
import { parseSafetensors, type SafetensorsFacts } from './parse-safetensors.ts';

/** Enough for a header of 16 MiB. */
const MAX_PARSE_MS = 2000;
const RESOURCES = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 };

/** Runs in the thread from its own source text, so it must refer to nothing but its parameters. */
function work<Input>(require: NodeJS.Require, parse: (input: Input) => unknown): void {
  const { parentPort }: typeof import('node:worker_threads') = require('node:worker_threads');
  parentPort?.on('message', (input: Input) => parentPort.postMessage(parse(input)));
  parentPort?.postMessage('ready');
}

const threadOf = <Input, Output>(parse: (input: Input) => Output): LimitedThread<Input, Output> =>
  createLimitedThread({
    source: programText(`(${work.toString()})(require, ${parse.toString()})`),
    data: undefined,
    limitMs: MAX_PARSE_MS,
    resources: RESOURCES,
  });

export type WeightThreads = ReturnType<typeof createWeightThreads>;

/** Parses headers of weights off the event loop, in threads that live only while they are needed. */
export function createWeightThreads() {
  const safetensors = threadOf<string, SafetensorsFacts | undefined>(parseSafetensors);
  const gguf = threadOf<Uint8Array, GgufFacts | undefined>(parseGguf);
  return {
    safetensors: (header: string) => safetensors.run(header),
    gguf: (bytes: Uint8Array) => gguf.run(bytes),
    close: async (): Promise<void> => {
      await Promise.all([safetensors.close(), gguf.close()]);
    },
  };
}
