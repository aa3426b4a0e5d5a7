/** The limits for parsing one text. */
export interface MarkdownLimits {
  /** Tokens of the parsed text, about two for each emphasis and three for each list item. */
  readonly tokens: number;
  /** Cells of all tables together. */
  readonly cells: number;
  readonly links: number;
  /** Block rules tried on lines; each line counts once for every quote and list around it. */
  readonly rules: number;
  /** Inline steps; text in brackets may be scanned again for each opening bracket. */
  readonly steps: number;
  readonly mentions: number;
  /** The maximum length of the HTML: a base, plus a factor for each character of the text. */
  readonly html: { readonly base: number; readonly factor: number };
}

/**
 * Limits for texts of 65,536 characters, the longest comment: far above what people write. The parser takes about 50 ms
 * to reach any of them. A text beyond a limit is shown as plain text, except that mentions beyond the limit are
 * ignored.
 */
export const MARKDOWN_LIMITS: MarkdownLimits = {
  tokens: 20_000,
  cells: 5_000,
  links: 2_000,
  rules: 200_000,
  steps: 300_000,
  mentions: 50,
  html: { base: 16_384, factor: 8 },
};

/** The time limit for one text, in case the limits above do not suffice. */
export const MAX_PARSE_MS = 150;
