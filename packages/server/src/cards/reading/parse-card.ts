import type * as Yaml from 'yaml';

/** The metadata of a README as JSON text, or the reason why it cannot be read. */
export type ParsedCard = { readonly json: string } | { readonly error: string };

export type ParseCard = (metadata: string) => ParsedCard;

/**
 * Returns a parser of YAML 1.2 without tags, so that dates stay texts. The parser refuses duplicate keys, alias bombs,
 * deep nesting and large values. The function also runs in a thread from its own source text, so it must refer to
 * nothing but its parameters.
 */
export function createCardParser(yaml: typeof Yaml, limits: { depth: number; length: number }): ParseCard {
  let remaining = 0;

  function spend(length: number): void {
    remaining -= length;
    if (remaining < 0) throw new Error('The metadata is too large');
  }

  /** Converts a value to plain JSON without `__proto__` keys. Throws if the value is too deep or too large. */
  function plain(value: unknown, depth: number): unknown {
    if (depth > limits.depth) throw new Error('The metadata is nested too deeply');
    if (typeof value === 'string') spend(value.length);
    else spend(4);
    if (Array.isArray(value)) return value.map((each) => plain(each, depth + 1));
    if (typeof value === 'bigint') return Number(value);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).filter(([key]) => key !== '__proto__');
    return Object.fromEntries(
      entries.map(([key, each]) => {
        spend(key.length);
        return [key, plain(each, depth + 1)];
      }),
    );
  }

  const firstLine = (error: unknown): string => {
    const text = error instanceof Error ? error.message : 'it is no YAML';
    if (error instanceof RangeError || text.startsWith('Maximum call stack'))
      return 'The metadata is nested too deeply';
    return (text.split('\n')[0] ?? '').replace(/:$/, '').slice(0, 300);
  };

  return (metadata) => {
    try {
      const document = yaml.parseDocument(metadata, { version: '1.2', schema: 'core', logLevel: 'silent' });
      const fault = document.errors[0];
      if (fault) return { error: firstLine(fault) };
      remaining = limits.length;
      const value = plain(document.toJS({ maxAliasCount: 100 }), 0) ?? {};
      if (typeof value !== 'object' || Array.isArray(value)) return { error: 'The metadata has no keys' };
      return { json: JSON.stringify(value) };
    } catch (error) {
      return { error: firstLine(error) };
    }
  };
}
