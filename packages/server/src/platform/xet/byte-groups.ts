/**
 * Undoes the grouping of bytes by their position within groups of four (Xet specification, xorb.md). Runs in threads from
 * its own source text, so it must refer to nothing but its parameters.
 */
export function ungroupBytes(grouped: Uint8Array, target: Uint8Array): void {
  const { length } = grouped;
  const second = (length + 3) >>> 2;
  const third = second + ((length + 2) >>> 2);
  const fourth = third + ((length + 1) >>> 2);
  const starts = [0, second, third];
  const whole = length >>> 2;
  for (let at = 0, to = 0; at < whole; at++, to += 4) {
    target[to] = grouped[at] ?? 0;
    target[to + 1] = grouped[second + at] ?? 0;
    target[to + 2] = grouped[third + at] ?? 0;
    target[to + 3] = grouped[fourth + at] ?? 0;
  }
  for (let rest = 0; rest < (length & 3); rest++) target[whole * 4 + rest] = grouped[(starts[rest] ?? 0) + whole] ?? 0;
}
