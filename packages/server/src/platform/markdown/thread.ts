import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { MARKDOWN_LIMITS, type MarkdownLimits } from './limits.ts';
import { addNames } from './names.ts';
import { createParser, type ParsedMarkdown } from './parser.ts';

/** A text, and what became of it: undefined where that would exceed a limit. */
type Answer = ParsedMarkdown | undefined;

interface Work {
  /** The file of the library. */
  readonly library: string;
  readonly limits: MarkdownLimits;
  readonly first: string;
}

/** Parses one text after the other in a thread. */
export interface ParsingThread {
  /** Undefined for a text that exceeds a limit, takes too long, or ends the thread. Rejects where no thread can begin. */
  parse(raw: string): Promise<Answer>;
  close(): Promise<void>;
}

/** Uses every part of the parser, so that no text waits for the library to prepare it. */
const FIRST_TEXT = '> - *a* [b](c)\n\n|d|\n|-|\n\nhttp://a.b a@b.co @e';

/** Nothing is waited for longer, however busy the machine is. */
const MAX_WAIT_MS = 10_000;

/** So often the wait is looked at: no more than that counts of a time in which the whole process stood still. */
const LOOK_MS = 500;

/** Enough for what the limits allow; a thread that needs more ends, and not the process. */
const RESOURCES = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 };

/** Runs in the thread from its source text, with the parts that it is given: uses nothing from outside. */
function work(require: NodeJS.Require, parts: { addNames: typeof addNames; createParser: typeof createParser }): void {
  const { parentPort, workerData } = require('node:worker_threads') as typeof import('node:worker_threads');
  const { library, limits, first } = workerData as Work;
  const parse = parts.createParser(require(library) as Parameters<typeof createParser>[0], parts.addNames, limits);
  parse(first);
  parentPort?.on('message', (raw: string) => parentPort.postMessage(parse(raw)));
  parentPort?.postMessage('ready');
}

/** What runs is text, as the sources are no JavaScript. Some compilers wrap functions in `__name`. */
const SOURCE = `const __name = (made) => made;
(${work.toString()})(require, { addNames: ${addNames.toString()}, createParser: ${createParser.toString()} })`;

/** Begins with the first text, and again with the next one after its end. The process does not wait for it when idle. */
export function createParsingThread(
  limitMs: number,
  library = createRequire(import.meta.url).resolve('markdown-it'),
): ParsingThread {
  let begun: Promise<Worker> | undefined;

  function begin(): Promise<Worker> {
    const worker = new Worker(SOURCE, {
      eval: true,
      // Nothing of the process: neither its settings nor what its sources are compiled with.
      env: {},
      execArgv: [],
      resourceLimits: RESOURCES,
      workerData: { library, limits: MARKDOWN_LIMITS, first: FIRST_TEXT } satisfies Work,
    });
    return new Promise((resolve, reject) => {
      worker.once('message', () => {
        worker.unref();
        resolve(worker);
      });
      worker.on('error', reject);
      worker.once('exit', () => {
        begun = undefined;
        reject(new Error('The thread ended'));
      });
    });
  }

  const parseIn = (worker: Worker, raw: string): Promise<Answer> =>
    new Promise((resolve) => {
      const left = timeLeft(limitMs);
      let answered = false;
      const settle = (answer?: Answer) => {
        answered = true;
        clearTimeout(timer);
        worker.off('message', settle).off('exit', ended).unref();
        resolve(answer);
      };
      const ended = () => settle();
      function check(): void {
        // An answer that came while the process was busy counts.
        if (left() <= 0) setImmediate(() => answered || void worker.terminate());
        else timer = setTimeout(check, Math.min(left(), LOOK_MS));
      }
      let timer = setTimeout(check, Math.min(limitMs, LOOK_MS));
      worker.ref();
      worker.once('message', settle).once('exit', ended).postMessage(raw);
    });

  return {
    async parse(raw) {
      begun ??= begin();
      return parseIn(await begun, raw);
    },
    async close() {
      await begun?.then(
        (worker) => worker.terminate(),
        () => {},
      );
    },
  };
}

/** How long a thread can go on working: on a busy machine it mostly waits for a processor, and that does not count. */
function timeLeft(limitMs: number): () => number {
  const from = process.cpuUsage();
  let waited = 0;
  let lookedAt = performance.now();
  return () => {
    const { user, system } = process.cpuUsage(from);
    const now = performance.now();
    waited += Math.min(now - lookedAt, LOOK_MS);
    lookedAt = now;
    return Math.min(limitMs - (user + system) / 1000, MAX_WAIT_MS - waited);
  };
}
