import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  isSpanContextValid,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { errorText } from '../error-text.ts';
import type { Outage } from '../logging/outage.ts';
import { VERSION } from '../version.ts';
import type { Span, Traces } from './traces.ts';

/** The time limit of an export, so that a collector that hangs does not delay the end of the process. */
const MAX_EXPORT_MS = 3000;

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };

/** An exporter that tells of failures, which the SDK keeps to itself. */
class ToldExporter extends OTLPTraceExporter {
  readonly #outage: Outage;

  constructor(url: string, outage: Outage) {
    super({ url, timeoutMillis: MAX_EXPORT_MS });
    this.#outage = outage;
  }

  override export(...[spans, onResult]: Parameters<OTLPTraceExporter['export']>): void {
    super.export(spans, (result) => {
      // The SDK's code for success is 0.
      if (result.code === 0) this.#outage.worked();
      else this.#outage.failed({ reason: errorText(result.error) });
      onResult(result);
    });
  }
}

/**
 * Sends spans to a collector in batches, as OTLP over HTTP in JSON. The SDK reads the sampler, headers and other
 * resource attributes from its own environment variables.
 */
export function createTraces(collector: string, outage: Outage): Traces {
  const exporter = new ToldExporter(collector, outage);
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'moonbase', 'service.version': VERSION }))
      .merge(detectResources({ detectors: [envDetector] })),
    // The exporter ends first, and tells why.
    spanProcessors: [new BatchSpanProcessor(exporter, { exportTimeoutMillis: 2 * MAX_EXPORT_MS })],
  });
  const tracer = provider.getTracer('moonbase', VERSION);
  const running = new AsyncLocalStorage<Span>();

  return {
    on: true,
    begin(name, { kind = 'internal', parent, attributes = {} } = {}) {
      const span = tracer.startSpan(name, { kind: KINDS[kind], attributes }, contextOf(parent));
      return {
        traceparent: traceparentOf(span.spanContext()),
        end(more = {}, failed) {
          span.setAttributes(more);
          if (failed !== undefined) span.setAttribute('error.type', failed).setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
    within: (span, work) => running.run(span, work),
    here: () => running.getStore()?.traceparent,
    async stop() {
      // A collector that fails must not make the process fail.
      await provider.shutdown().catch(() => {});
    },
  };
}

const traceparentOf = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;

/** Parses a `traceparent` (W3C Trace Context, level 1). */
function contextOf(traceparent: string | null | undefined): Context {
  const [, traceId = '', spanId = '', flags = ''] =
    /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceparent ?? '') ?? [];
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  const context: SpanContext = { traceId, spanId, traceFlags, isRemote: true };
  return isSpanContextValid(context) ? trace.setSpanContext(ROOT_CONTEXT, context) : ROOT_CONTEXT;
}
