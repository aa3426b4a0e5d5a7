/** A line of the palette: what it is called, what it is, and what choosing it does. */
export interface Entry {
  /** Unique among the lines that are shown. */
  readonly id: string;
  readonly label: string;
  /** The kind of the thing, for example "model"; or the name beside a title. */
  readonly kind: string;
  /** The keys that do the same. */
  readonly keys?: string | undefined;
  /** The page that opens, or what is done. */
  readonly open: string | (() => void);
}

/** Returns the entries of which each word of a text begins a word, in their order. */
export function matching(entries: readonly Entry[], text: string): readonly Entry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return entries.filter(({ label }) => {
    const ofLabel = label.toLowerCase().split(/[\s/]+/);
    return words.every((word) => ofLabel.some((each) => each.startsWith(word)));
  });
}
