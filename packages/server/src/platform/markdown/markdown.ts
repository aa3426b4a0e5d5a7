import { HubError } from '../http/errors.ts';
import { createFairQueue } from './fair-queue.ts';
import { MAX_PARSE_MS } from './limits.ts';
import type { ParsedMarkdown } from './parser.ts';
import { plainText } from './plain-text.ts';
import { createParsingThread } from './thread.ts';

/** Raised when anything else is made of the same text: what was stored before is then parsed again. */
export const MARKDOWN_VERSION = 1;

export interface Markdown {
  /**
   * Parses a text in the turn of its author, or of all that is stored. 503 where the author has too many texts waiting,
   * and where the machine gives no thread.
   */
  parse(raw: string, author?: string): Promise<ParsedMarkdown>;
  close(): Promise<void>;
}

interface Dependencies {
  /** Told of a text that is shown as plain text. */
  readonly onExceeded?: (details: { readonly author: string | undefined; readonly length: number }) => void;
  readonly limitMs?: number;
  /** The file of the parser. */
  readonly library?: string;
}

/** Nobody's id. */
const STORED = 'stored';
/** Characters of one author that wait: 20 of the longest texts. */
const MAX_WAITING = 20 * 65_536;

/** Never rejects. */
interface Work {
  readonly raw: string;
  readonly parse: () => Promise<void>;
}

/** Parses Markdown off the event loop; what cannot be parsed within the limits becomes plain text. */
export function createMarkdown({ onExceeded, limitMs = MAX_PARSE_MS, library }: Dependencies = {}): Markdown {
  const thread = createParsingThread(limitMs, library);
  const waiting = createFairQueue<Work>(({ raw }) => raw.length);
  let working = false;

  async function workOff(): Promise<void> {
    if (working) return;
    working = true;
    for (let next = waiting.take(); next; next = waiting.take()) await next.parse();
    working = false;
  }

  return {
    async parse(raw, author) {
      if (author !== undefined && waiting.sizeFrom(author) >= MAX_WAITING) throw tooMany();
      return new Promise((resolve, reject) => {
        const finish = (parsed: ParsedMarkdown | undefined) => {
          if (!parsed) onExceeded?.({ author, length: raw.length });
          resolve(parsed ?? plainText(raw));
        };
        waiting.add(author ?? STORED, {
          raw,
          parse: () =>
            thread
              .parse(raw)
              .then(finish, () => reject(noThread()))
              .catch(reject),
        });
        void workOff();
      });
    },
    close: () => thread.close(),
  };
}

const noThread = () =>
  new HubError(503, 'Texts cannot be read at the moment; try again soon', { headers: { 'retry-after': '5' } });

const tooMany = () =>
  new HubError(503, 'Too many of your texts are being read; try again soon', { headers: { 'retry-after': '1' } });
