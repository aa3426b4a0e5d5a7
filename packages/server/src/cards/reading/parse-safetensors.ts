/** How many parameters a file has, by their type. */
export interface SafetensorsFacts {
  readonly parameters: Readonly<Record<string, number>>;
  readonly total: number;
}

/**
 * Counts the parameters that the header of a file of safetensors names; undefined for what is no header. Also runs in a
 * thread from its source text: uses nothing from outside.
 */
export function parseSafetensors(header: string): SafetensorsFacts | undefined {
  const sizeOf = (shape: unknown): number | undefined => {
    if (!Array.isArray(shape)) return undefined;
    let size = 1;
    for (const side of shape) {
      if (!Number.isSafeInteger(side) || side < 0) return undefined;
      size *= side;
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
