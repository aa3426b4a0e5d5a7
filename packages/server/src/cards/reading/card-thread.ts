import { createRequire } from 'node:module';
import { HubError } from '../../platform/http/errors.ts';
import { createFairQueue } from '../../platform/threads/fair-queue.ts';
import { createLimitedThread, programText } from '../../platform/threads/limited-thread.ts';
import { createCardParser, type ParsedCard } from './parse-card.ts';

export interface CardThread {
  /**
   * Parses metadata in the queue of its caller, or in that of stored metadata. Throws 503 if the caller has too much
   * metadata waiting.
   */
  parse(metadata: string, caller?: string): Promise<ParsedCard>;
  close(): Promise<void>;
}

interface Work {
  /** The path of the YAML library. */
  readonly library: string;
  readonly limits: { readonly depth: number; readonly length: number };
}

/** Bounds the nesting depth of metadata and the length of its JSON. */
const PARSE_LIMITS = { depth: 32, length: 1024 * 1024 };
/** Enough for metadata of 1 MiB; typical metadata takes a few milliseconds. */
const MAX_PARSE_MS = 2000;
const RESOURCES = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16 };
/** Bounds the characters that one caller may have waiting: two of the largest texts. */
const MAX_WAITING_CHARACTERS = 2 * 1024 * 1024;
/** The queue of stored metadata; no address of a caller equals this key. */
const STORED = 'stored';
const TOO_MUCH: ParsedCard = { error: 'The metadata takes too long or too much memory to read' };

/** Runs in the thread from its own source text, so it must refer to nothing but its parameters. */
function work(require: NodeJS.Require, create: typeof createCardParser): void {
  const { parentPort, workerData }: typeof import('node:worker_threads') = require('node:worker_threads');
  const { library, limits }: Work = workerData;
  const parse = create(require(library), limits);
  parse('a: [1]');
  parentPort?.on('message', (metadata: string) => parentPort.postMessage(parse(metadata)));
  parentPort?.postMessage('ready');
}

const SOURCE = programText(`(${work.toString()})(require, ${createCardParser.toString()})`);

interface WaitingCard {
  readonly length: number;
  /** Never rejects. */
  readonly parse: () => Promise<void>;
}

/** Parses metadata off the event loop, one text at a time. */
export function createCardThread(limitMs = MAX_PARSE_MS): CardThread {
  const thread = createLimitedThread<string, ParsedCard>({
    source: SOURCE,
    data: { library: createRequire(import.meta.url).resolve('yaml'), limits: PARSE_LIMITS } satisfies Work,
    limitMs,
    resources: RESOURCES,
  });
  const waiting = createFairQueue<WaitingCard>(({ length }) => length);
  let working = false;

  async function drain(): Promise<void> {
    if (working) return;
    working = true;
    for (let next = waiting.take(); next; next = waiting.take()) await next.parse();
    working = false;
  }

  return {
    async parse(metadata, caller = STORED) {
      if (caller !== STORED && waiting.sizeFrom(caller) + metadata.length > MAX_WAITING_CHARACTERS)
        throw new HubError(503, 'Too many of your cards are being read; try again soon', {
          headers: { 'retry-after': '1' },
        });
      return new Promise((resolve, reject) => {
        const { length } = metadata;
        const parse = () => thread.run(metadata).then((parsed) => resolve(parsed ?? TOO_MUCH), reject);
        waiting.add(caller, { length, parse });
        void drain();
      });
    },
    close: () => thread.close(),
  };
}
