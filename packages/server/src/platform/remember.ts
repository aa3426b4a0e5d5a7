/** Answers a pure function of one text from memory where it was asked lately: the newest `limit` answers are kept. */
export function remember<Value>(limit: number, make: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const value = make(text);
    for (const oldest of known.keys()) {
      if (known.size < limit) break;
      known.delete(oldest);
    }
    known.set(text, value);
    return value;
  };
}
