/** What may be spent on one text. */
export interface MarkdownLimits {
  /** Parts of the parsed text: about two for each emphasis, three for each item of a list. */
  readonly tokens: number;
  /** Cells of all tables together. */
  readonly cells: number;
  readonly links: number;
  /** Rules tried on lines: each line counts once for every quote and list around it. */
  readonly rules: number;
  /** Steps within brackets, which may be looked through again for each opening one. */
  readonly steps: number;
  readonly mentions: number;
  /** Characters of HTML: a base, and more for each character of the text. */
  readonly html: { readonly base: number; readonly factor: number };
}

/** Far above what people write in 65,536 characters; each takes a parser about 50 ms to reach. */
export const MARKDOWN_LIMITS: MarkdownLimits = {
  tokens: 20_000,
  cells: 5_000,
  links: 2_000,
  rules: 200_000,
  steps: 300_000,
  mentions: 50,
  html: { base: 16_384, factor: 8 },
};

/** Time for one text; where the limits above hold, none needs it. */
export const MAX_PARSE_MS = 150;
