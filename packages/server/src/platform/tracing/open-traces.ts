import type { Clock } from '../clock.ts';
import type { InformingLogger } from '../logger.ts';
import { createOutage } from '../logging/outage.ts';
import { NO_TRACES, type Traces } from './traces.ts';

interface Dependencies {
  readonly clock: Clock;
  readonly logger: InformingLogger;
}

/** Loads the tracing SDK only if a collector is configured. */
export async function openTraces(collector: string | undefined, { clock, logger }: Dependencies): Promise<Traces> {
  if (collector === undefined) return NO_TRACES;
  const { createTraces } = await import('./otlp-traces.ts');
  const { host } = new URL(collector);
  const outage = createOutage({
    clock,
    onFailing: (details) =>
      logger.warn(
        { collector: host, ...details },
        'OTEL_EXPORTER_OTLP_ENDPOINT: the collector takes no traces; they are lost',
      ),
    onWorking: (details) => logger.info({ collector: host, ...details }, 'the collector takes traces again'),
  });
  return createTraces(collector, outage);
}
