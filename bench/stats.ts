export const percentile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
};

export const median = (values: readonly number[]): number => percentile(values, 0.5);

/** The name of the figure whose rounds have the rate of a bare loop of posts, from which the page takes the speed of the machine. */
export const TO_BARE_LOOP = 'deliveries, to a bare loop of posts';

/** A line of the report. `bound` is the condition that `value` must meet. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: 'ratio' | 'percent' | 'ms' | 'MB' | 'per second' | 'count';
  readonly bound?: { readonly atLeast: number } | { readonly atMost: number };
  /** Whether the bound is a promise instead of a speed: the run fails if the bound is broken at any scale. */
  readonly always?: true;
  /** Set if the figure shows how a cost grows with this number. */
  readonly grows?: 'rows' | 'receivers' | 'replicas';
  /** The figure in words. */
  readonly note?: string;
  /** The measurements of each round. */
  readonly rounds?: readonly (readonly number[])[];
}

/** Returns the median of the ratios of measurement and reference; each pair comes from one round. */
export const ratio = (pairs: readonly (readonly [number, number])[]): number =>
  median(pairs.map(([measured, limit]) => measured / limit));

export const holds = ({ value, bound }: Pick<Figure, 'value' | 'bound'>): boolean => {
  if (bound === undefined) return true;
  return 'atLeast' in bound ? value >= bound.atLeast : value <= bound.atMost;
};

/** Formats a number for people. */
export const shown = (value: number): string => (value >= 100 || value === 0 ? value.toFixed(0) : value.toPrecision(3));
