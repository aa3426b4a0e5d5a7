type Attributes = Readonly<Record<string, string | number>>;

/** An operation with a duration, reported to the trace collector. */
export interface Span {
  /** The W3C Trace Context to pass to whatever the operation causes elsewhere; undefined if tracing is off. */
  readonly traceparent: string | undefined;
  /** `failed` is the kind of error in one word (`error.type`). */
  end(attributes?: Attributes, failed?: string): void;
}

interface SpanOptions {
  readonly kind?: 'server' | 'client' | 'internal';
  /** The `traceparent` of the causing operation. Without a valid one, a new trace begins. */
  readonly parent?: string | null | undefined;
  readonly attributes?: Attributes;
}

/** Spans contain ids, route patterns and host names, never payloads, secrets, tokens or whole URLs. */
export interface Traces {
  readonly on: boolean;
  begin(name: string, beginning?: SpanOptions): Span;
  /** Runs `work` with the span as its context. */
  within<T>(span: Span, work: () => T): T;
  /** Returns the `traceparent` of the current span. */
  here(): string | undefined;
  /** Sends the remaining spans. */
  stop(): Promise<void>;
}

const NO_SPAN: Span = { traceparent: undefined, end() {} };

export const NO_TRACES: Traces = {
  on: false,
  begin: () => NO_SPAN,
  within: (_span, work) => work(),
  here: () => undefined,
  async stop() {},
};
