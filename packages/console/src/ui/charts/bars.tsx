import './chart.css';
import { Text } from '@mantine/core';
import { type KeyboardEvent, type PointerEvent, useState } from 'react';

export interface Bar {
  readonly key: string;
  readonly label: string;
  /** The parts from the bottom up; the name selects the colour. */
  readonly parts: readonly { readonly name: string; readonly count: number }[];
}

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 };

const sumOf = ({ parts }: Bar): number => parts.reduce((sum, { count }) => sum + count, 0);

/** Describes a bar: `14:00: 12 delivered, 1 failed`. */
function textOf({ label, parts }: Bar): string {
  const there = parts.filter(({ count }) => count > 0).map(({ name, count }) => `${count} ${name}`);
  return `${label}: ${there.length === 0 ? 'none' : there.join(', ')}`;
}

/**
 * Stacked bars with an axis. The label describes the chart. A bar is chosen with the arrow keys, by touch or under the pointer;
 * its numbers stand below the chart, at first those of the last bar.
 */
export function Bars(props: {
  readonly bars: readonly Bar[];
  readonly label: string;
  /** What a bar stands for, as in "Hour". */
  readonly each: string;
}) {
  const { bars, label, each } = props;
  const [key, setKey] = useState<string>();
  const found = bars.findIndex((bar) => bar.key === key);
  const at = found < 0 ? bars.length - 1 : found;
  const chosen = bars[at];
  const highest = Math.max(1, ...bars.map(sumOf));
  const every = Math.ceil(bars.length / 6);
  const choose = (index: number) => setKey(bars[Math.max(0, Math.min(index, bars.length - 1))]?.key);
  const onKeyDown = (event: KeyboardEvent) => {
    const index = { Home: 0, End: bars.length - 1 }[event.key] ?? at + (STEPS[event.key] ?? 0);
    if (index === at && STEPS[event.key] === undefined) return;
    event.preventDefault();
    choose(index);
  };
  const onPointer = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    choose(Math.floor(((clientX - left) / width) * bars.length));
  };
  if (!chosen) return null;
  return (
    <div className="chart">
      <div className="axis" aria-hidden="true">
        <span>{highest.toLocaleString('en')}</span>
        <span>0</span>
      </div>
      <div className="bars" role="img" aria-label={label}>
        {bars.map((bar, index) => (
          <div key={bar.key} className="bar-column" data-chosen={index === at}>
            <div className="bar-space">
              {bar.parts.map(
                ({ name, count }) =>
                  count > 0 && (
                    <div
                      key={name}
                      className="bar-part"
                      data-outcome={name}
                      style={{ height: `max(2px, ${(100 * count) / highest}%)` }}
                    />
                  ),
              )}
            </div>
            <div className="bar-label">{index % every === 0 ? bar.label : ''}</div>
          </div>
        ))}
      </div>
      <div
        className="bar-choice"
        role="slider"
        tabIndex={0}
        aria-label={each}
        aria-valuemin={0}
        aria-valuemax={bars.length - 1}
        aria-valuenow={at}
        aria-valuetext={textOf(chosen)}
        onKeyDown={onKeyDown}
        onPointerMove={onPointer}
        onPointerDown={onPointer}
      />
      <Text size="xs" c="dimmed" className="figures bar-value">
        {textOf(chosen)}
      </Text>
    </div>
  );
}
