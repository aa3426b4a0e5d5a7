import { LRUCache } from 'lru-cache';
import { MARKDOWN_VERSION, type Markdown } from '../platform/markdown/markdown.ts';
import type { ParsedMarkdown } from '../platform/markdown/parser.ts';
import { ValueNotFetched } from '../platform/queue/fault.ts';

/**
 * Markdown as stored: with its HTML and mentions and the version of the parser. Rows of older releases have only the
 * text.
 */
export interface ParsedText {
  readonly raw: string;
  readonly parsed?: ParsedMarkdown & { readonly version: number };
}

export type Texts = ReturnType<typeof createTexts>;

/** The maximum size of cached texts and their HTML in characters. */
const MAX_CACHED_CHARACTERS = 8_000_000;

/** Parses user texts once: when they are written or, if an older version parsed them, on first use. */
export function createTexts({ markdown }: { readonly markdown: Markdown }) {
  const cache = new LRUCache<string, ParsedMarkdown>({
    maxSize: MAX_CACHED_CHARACTERS,
    // The cache does not accept a size of 0, which an empty text would have.
    sizeCalculation: ({ html }, raw) => 1 + raw.length + html.length,
  });

  const parsedOrCached = ({ raw, parsed }: ParsedText): ParsedMarkdown | undefined =>
    parsed?.version === MARKDOWN_VERSION ? parsed : cache.get(raw);

  /** Returns the parsed form of a stored text. */
  async function parsed(text: ParsedText): Promise<ParsedMarkdown> {
    const known = parsedOrCached(text);
    if (known) return known;
    const fresh = await markdown.parse(text.raw);
    cache.set(text.raw, fresh);
    return fresh;
  }

  return {
    /**
     * Parses a text to be stored; called before the transaction. Throws 503 if the author has too many texts waiting.
     */
    async write(raw: string, userId: string): Promise<ParsedText> {
      return { raw, parsed: { version: MARKDOWN_VERSION, ...(await markdown.parse(raw, userId)) } };
    },

    parsed,

    /** Returns the parsed form within a transaction, which must not wait: throws `ValueNotFetched` if parsing is needed. */
    parsedNow(text: ParsedText): ParsedMarkdown {
      const known = parsedOrCached(text);
      if (!known) throw new ValueNotFetched('a text that an older version parsed', () => parsed(text));
      return known;
    },
  };
}
