import { HubError } from '../http/errors.ts';
import { createFairQueue } from '../threads/fair-queue.ts';
import { MAX_PARSE_MS } from './limits.ts';
import type { ParsedMarkdown } from './parser.ts';
import { plainText } from './plain-text.ts';
import { createParsingThread } from './thread.ts';

/**
 * The version of the parser's output. Raise it when the output for the same text changes: texts stored by older
 * versions are then parsed again.
 */
export const MARKDOWN_VERSION = 1;

export interface Markdown {
  /**
   * Parses a text in the turn of its author; stored texts that are parsed again share one turn. Throws 503 if the
   * author has too many waiting texts, or if no thread can be started.
   */
  parse(raw: string, author?: string): Promise<ParsedMarkdown>;
  close(): Promise<void>;
}

interface Dependencies {
  /** Called for a text that is shown as plain text because it exceeds a limit. */
  readonly onExceeded?: (details: { readonly author: string | undefined; readonly length: number }) => void;
  readonly limitMs?: number;
  /** The path of the Markdown library. */
  readonly library?: string;
}

/** The queue source of stored texts, which is not the id of any user. */
const STORED_TEXTS = 'stored';
/** The maximum number of waiting characters of one author: 20 of the longest texts. */
const MAX_WAITING_CHARACTERS = 20 * 65_536;

/** A waiting text; `parse` never rejects. */
interface Work {
  readonly raw: string;
  readonly parse: () => Promise<void>;
}

/** Parses Markdown in a thread; a text beyond the limits becomes plain text. */
export function createMarkdown({ onExceeded, limitMs = MAX_PARSE_MS, library }: Dependencies = {}): Markdown {
  const thread = createParsingThread(limitMs, library);
  const waiting = createFairQueue<Work>(({ raw }) => raw.length);
  let working = false;

  async function drain(): Promise<void> {
    if (working) return;
    working = true;
    for (let next = waiting.take(); next; next = waiting.take()) await next.parse();
    working = false;
  }

  return {
    async parse(raw, author) {
      if (author !== undefined && waiting.sizeFrom(author) >= MAX_WAITING_CHARACTERS) throw tooMany();
      return new Promise((resolve, reject) => {
        const finish = (parsed: ParsedMarkdown | undefined) => {
          if (!parsed) onExceeded?.({ author, length: raw.length });
          resolve(parsed ?? plainText(raw));
        };
        waiting.add(author ?? STORED_TEXTS, {
          raw,
          parse: () =>
            thread
              .run(raw)
              .then(finish, () => reject(noThread()))
              .catch(reject),
        });
        void drain();
      });
    },
    close: () => thread.close(),
  };
}

const noThread = () =>
  new HubError(503, 'Texts cannot be read at the moment; try again soon', { headers: { 'retry-after': '5' } });

const tooMany = () =>
  new HubError(503, 'Too many of your texts are being read; try again soon', { headers: { 'retry-after': '1' } });
