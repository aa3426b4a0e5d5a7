export interface Bar {
  readonly key: string;
  readonly label: string;
  /** The parts from the bottom up; the name selects the colour. */
  readonly parts: readonly { readonly name: string; readonly count: number }[];
}

/** Stacked bars. The label describes the chart; each bar shows its numbers on hover. */
export function Bars({ bars, label }: { readonly bars: readonly Bar[]; readonly label: string }) {
  const sumOf = ({ parts }: Bar) => parts.reduce((sum, { count }) => sum + count, 0);
  const most = Math.max(1, ...bars.map(sumOf));
  const every = Math.ceil(bars.length / 6);
  return (
    <div className="bars" role="img" aria-label={label}>
      {bars.map((bar, at) => (
        <div
          key={bar.key}
          className="bar-column"
          title={`${bar.label}: ${bar.parts
            .filter(({ count }) => count > 0)
            .map(({ name, count }) => `${count} ${name}`)
            .join(', ')}`}
        >
          <div className="bar-space">
            {bar.parts.map(
              ({ name, count }) =>
                count > 0 && (
                  <div
                    key={name}
                    className="bar-part"
                    data-outcome={name}
                    style={{ height: `max(2px, ${(100 * count) / most}%)` }}
                  />
                ),
            )}
          </div>
          <div className="bar-label">{at % every === 0 ? bar.label : ''}</div>
        </div>
      ))}
    </div>
  );
}
