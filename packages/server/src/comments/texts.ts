import { LRUCache } from 'lru-cache';
import { MARKDOWN_VERSION, type Markdown } from '../platform/markdown/markdown.ts';
import type { ParsedMarkdown } from '../platform/markdown/parser.ts';
import { NotAtHand } from '../platform/queue/fault.ts';

/** Markdown as it is stored: with what was made of it, and by which version. Rows of before have only the text. */
export interface ParsedText {
  readonly raw: string;
  readonly parsed?: ParsedMarkdown & { readonly version: number };
}

export type Texts = ReturnType<typeof createTexts>;

/** Characters of texts and of their HTML. */
const MAX_REMEMBERED = 8_000_000;

/** Texts of people, parsed once: when they are written, or on first use where an older version parsed them. */
export function createTexts({ markdown }: { readonly markdown: Markdown }) {
  const remembered = new LRUCache<string, ParsedMarkdown>({
    maxSize: MAX_REMEMBERED,
    // An empty text counts as well: the cache takes no size of 0.
    sizeCalculation: ({ html }, raw) => 1 + raw.length + html.length,
  });

  const knownOf = ({ raw, parsed }: ParsedText): ParsedMarkdown | undefined =>
    parsed?.version === MARKDOWN_VERSION ? parsed : remembered.get(raw);

  /** What was made of a stored text. */
  async function parsed(text: ParsedText): Promise<ParsedMarkdown> {
    const known = knownOf(text);
    if (known) return known;
    const made = await markdown.parse(text.raw);
    remembered.set(text.raw, made);
    return made;
  }

  return {
    /** A text to be stored. Called before the transaction. 503 where the author has too many texts waiting. */
    async write(raw: string, userId: string): Promise<ParsedText> {
      return { raw, parsed: { version: MARKDOWN_VERSION, ...(await markdown.parse(raw, userId)) } };
    },

    parsed,

    /** The same within a transaction, which holds others up: throws `NotAtHand` where it would have to wait. */
    parsedNow(text: ParsedText): ParsedMarkdown {
      const known = knownOf(text);
      if (!known) throw new NotAtHand('a text that an older version parsed', () => parsed(text));
      return known;
    },
  };
}
