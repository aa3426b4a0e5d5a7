import { createRequire } from 'node:module';
import { createLimitedThread, type LimitedThread, programText } from '../threads/limited-thread.ts';
import { MARKDOWN_LIMITS, type MarkdownLimits } from './limits.ts';
import { addNames } from './names.ts';
import { createParser, type ParsedMarkdown } from './parser.ts';

interface Work {
  /** The path of the Markdown library. */
  readonly library: string;
  readonly limits: MarkdownLimits;
  readonly warmUpText: string;
}

/** A thread that parses one text at a time; undefined for a text that exceeds a limit. */
export type ParsingThread = LimitedThread<string, ParsedMarkdown | undefined>;

/**
 * A text that a new thread parses before it is ready. It uses every part of the parser, so that later texts do not wait
 * for lazy initialization.
 */
const WARM_UP_TEXT = '> - *a* [b](c)\n\n|d|\n|-|\n\nhttp://a.b a@b.co @e';

/** Enough memory for texts within the limits. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 };

/**
 * The main function of the thread, run from its source text with the given parts; it must not use anything from
 * outside.
 */
function work(require: NodeJS.Require, parts: { addNames: typeof addNames; createParser: typeof createParser }): void {
  const { parentPort, workerData }: typeof import('node:worker_threads') = require('node:worker_threads');
  const { library: path, limits, warmUpText }: Work = workerData;
  const library: Parameters<typeof createParser>[0] = require(path);
  const parse = parts.createParser(library, parts.addNames, limits);
  parse(warmUpText);
  parentPort?.on('message', (raw: string) => parentPort.postMessage(parse(raw)));
  parentPort?.postMessage('ready');
}

const SOURCE = programText(
  `(${work.toString()})(require, { addNames: ${addNames.toString()}, createParser: ${createParser.toString()} })`,
);

/** Creates a parsing thread, which starts when it gets its first text. */
export const createParsingThread = (
  limitMs: number,
  library = createRequire(import.meta.url).resolve('markdown-it'),
): ParsingThread =>
  createLimitedThread({
    source: SOURCE,
    data: { library, limits: MARKDOWN_LIMITS, warmUpText: WARM_UP_TEXT } satisfies Work,
    limitMs,
    resources: RESOURCE_LIMITS,
  });
