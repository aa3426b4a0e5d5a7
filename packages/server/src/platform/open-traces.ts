import { NO_TRACES, type Traces } from './traces.ts';

/** Loads the tracing SDK only if a collector is configured. */
export async function openTraces(collector: string | undefined): Promise<Traces> {
  if (collector === undefined) return NO_TRACES;
  const { createTraces } = await import('./otlp-traces.ts');
  return createTraces(collector);
}
