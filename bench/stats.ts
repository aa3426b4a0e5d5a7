export const percentile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
};

export const median = (values: readonly number[]): number => percentile(values, 0.5);

/** One line of the report. `bound` is what must hold of `value`. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: 'ratio' | 'percent' | 'ms' | 'MB' | 'per second' | 'count';
  readonly bound?: { readonly atLeast: number } | { readonly atMost: number };
  /** The bound is a promise, not a speed: it holds at every scale, or the run fails. */
  readonly always?: true;
  /** It tells how cost grows with these. */
  readonly grows?: 'rows' | 'receivers' | 'replicas';
  /** What it shows, in words. */
  readonly note?: string;
  /** What it was made of, round by round. */
  readonly rounds?: readonly (readonly number[])[];
}

/** The median of the ratios of pairs: what was measured to what it is held to, both in one round. */
export const ratio = (pairs: readonly (readonly [number, number])[]): number =>
  median(pairs.map(([measured, limit]) => measured / limit));

export const holds = ({ value, bound }: Pick<Figure, 'value' | 'bound'>): boolean => {
  if (bound === undefined) return true;
  return 'atLeast' in bound ? value >= bound.atLeast : value <= bound.atMost;
};

/** A number as it is shown to people. */
export const shown = (value: number): string => (value >= 100 || value === 0 ? value.toFixed(0) : value.toPrecision(3));
