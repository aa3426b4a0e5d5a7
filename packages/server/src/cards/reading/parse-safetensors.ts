/** The number of parameters in a file, by type. */
export interface SafetensorsFacts {
  readonly parameters: Readonly<Record<string, number>>;
  readonly total: number;
}

/**
 * Counts the parameters in the header of a safetensors file; returns undefined if the header is invalid. The function
 * also runs in a thread from its own source text, so it must refer to nothing but its parameters.
 */
export function parseSafetensors(header: string): SafetensorsFacts | undefined {
  const sizeOf = (shape: unknown): number | undefined => {
    if (!Array.isArray(shape)) return undefined;
    let size = 1;
    for (const dimension of shape) {
      if (!Number.isSafeInteger(dimension) || dimension < 0) return undefined;
      size *= dimension;
    }
    return Number.isSafeInteger(size) ? size : undefined;
  };
  try {
    const tensors: unknown = JSON.parse(header);
    if (typeof tensors !== 'object' || tensors === null || Array.isArray(tensors)) return undefined;
    const counts = new Map<string, number>();
    let total = 0;
    for (const [name, tensor] of Object.entries<{ dtype?: unknown; shape?: unknown } | null>({ ...tensors })) {
      if (name === '__metadata__') continue;
      const dtype = tensor?.dtype;
      const size = sizeOf(tensor?.shape);
      if (typeof dtype !== 'string' || !/^[A-Z][A-Z0-9_]{0,15}$/.test(dtype) || size === undefined) return undefined;
      counts.set(dtype, (counts.get(dtype) ?? 0) + size);
      total += size;
    }
    return Number.isSafeInteger(total) ? { parameters: Object.fromEntries(counts), total } : undefined;
  } catch {
    return undefined;
  }
}
