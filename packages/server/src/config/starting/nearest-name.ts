/** How many letters of a name may be wrong for a suggestion: about one in three, but never more than three. */
const allowedFaults = (name: string): number => Math.min(3, Math.max(1, Math.ceil(name.length / 3)));

/** Returns the number of letters to insert, to delete or to replace between two words (Levenshtein). */
function distance(one: string, other: string): number {
  let previous = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [row, letter] of one.split('').entries()) {
    let diagonal = row;
    const next = [row + 1];
    for (const [column, wanted] of other.split('').entries()) {
      const above = previous[column + 1] ?? 0;
      next.push(Math.min(above + 1, (next[column] ?? 0) + 1, diagonal + (letter === wanted ? 0 : 1)));
      diagonal = above;
    }
    previous = next;
  }
  return previous[other.length] ?? 0;
}

/** Returns the known name that a name with a prefix in common is most likely meant to be; undefined if none is near. */
export function nearestName(name: string, known: Iterable<string>, prefix: string): string | undefined {
  const rest = name.slice(prefix.length);
  const near = [...known]
    .map((candidate) => ({ candidate, faults: distance(rest, candidate.slice(prefix.length)) }))
    .filter(({ faults }) => faults <= allowedFaults(rest))
    .toSorted((one, other) => one.faults - other.faults);
  return near[0]?.candidate;
}
