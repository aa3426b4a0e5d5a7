/** The facts from the header of a GGUF file. */
export interface GgufFacts {
  readonly total?: number;
  readonly architecture?: string;
  readonly context_length?: number;
  readonly chat_template?: string;
  readonly bos_token?: string;
  readonly eos_token?: string;
}

/**
 * Reads the header of a GGUF file as far as the bytes go; returns undefined if the file is not GGUF. Counts in the
 * header are trusted only as far as bytes follow. The function also runs in a thread from its own source text, so it
 * must refer to nothing but its parameters.
 */
export function parseGguf(bytes: Uint8Array): GgufFacts | undefined {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = new TextDecoder();
  /** The sizes of values by type number; type 8 is a text, type 9 a list. */
  const sizes: Readonly<Record<number, number>> = {
    ...{ 0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8 },
  };
  const [texts, lists] = [8, 9];
  const maxText = 65_536;
  let at = 0;

  function skip(length: number): void {
    if (!Number.isSafeInteger(length) || at + length > bytes.length) throw new RangeError('The header ends early');
    at += length;
  }
  function u32(): number {
    skip(4);
    return data.getUint32(at - 4, true);
  }
  function u64(): number {
    const low = u32();
    return u32() * 2 ** 32 + low;
  }
  function readText(): string | undefined {
    const length = u64();
    skip(length);
    return length > maxText ? undefined : text.decode(bytes.subarray(at - length, at));
  }

  const values = new Map<string, string | number>();
  /** The offset and the number of the words in the vocabulary. */
  let words: { at: number; count: number } | undefined;

  function readValue(key: string): void {
    const type = u32();
    if (type === texts) {
      const value = readText();
      if (value !== undefined) values.set(key, value);
      return;
    }
    if (type !== lists) {
      const size = sizes[type];
      if (size === undefined) throw new RangeError('The header has a type that is not known');
      skip(size);
      if (size === 4 && type !== 6) values.set(key, data.getUint32(at - 4, true));
      if (size === 8 && type !== 12) values.set(key, Number(data.getBigUint64(at - 8, true)));
      return;
    }
    const inner = u32();
    const count = u64();
    if (inner === texts) {
      if (key === 'tokenizer.ggml.tokens') words = { at, count };
      for (let each = 0; each < count; each++) skip(u64());
      return;
    }
    const size = sizes[inner];
    if (size === undefined) throw new RangeError('The header has a list that is not known');
    skip(size * count);
  }

  function wordAt(id: string | number | undefined): string | undefined {
    if (typeof id !== 'number' || !words || id >= words.count) return undefined;
    at = words.at;
    for (let each = 0; each < id; each++) skip(u64());
    return readText();
  }

  function countTensors(count: number): number | undefined {
    let total = 0;
    for (let each = 0; each < count; each++) {
      skip(u64());
      const dimensions = u32();
      if (dimensions > 8) return undefined;
      let size = 1;
      for (let dimension = 0; dimension < dimensions; dimension++) size *= u64();
      skip(12);
      total += size;
    }
    return Number.isSafeInteger(total) ? total : undefined;
  }

  function orUndefined<T>(read: () => T): T | undefined {
    try {
      return read();
    } catch {
      return undefined;
    }
  }

  if (bytes.length < 24 || text.decode(bytes.subarray(0, 4)) !== 'GGUF') return undefined;
  skip(4);
  const version = u32();
  if (version !== 2 && version !== 3) return undefined;
  const tensors = u64();
  const pairs = u64();
  const isWhole = orUndefined(() => {
    for (let each = 0; each < pairs; each++) readValue(readText() ?? '');
    return true;
  });
  const total = isWhole ? orUndefined(() => countTensors(tensors)) : undefined;
  const textOf = (key: string) => {
    const value = values.get(key);
    return typeof value === 'string' ? value : undefined;
  };
  const architecture = textOf('general.architecture');
  const length = values.get(`${architecture}.context_length`);
  const template = textOf('tokenizer.chat_template');
  const bos = orUndefined(() => wordAt(values.get('tokenizer.ggml.bos_token_id')));
  const eos = orUndefined(() => wordAt(values.get('tokenizer.ggml.eos_token_id')));
  return {
    ...(total !== undefined && { total }),
    ...(architecture !== undefined && { architecture }),
    ...(typeof length === 'number' && { context_length: length }),
    ...(template !== undefined && { chat_template: template }),
    ...(bos !== undefined && { bos_token: bos }),
    ...(eos !== undefined && { eos_token: eos }),
  };
}
