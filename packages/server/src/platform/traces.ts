type Attributes = Readonly<Record<string, string | number>>;

/** Something that takes time, told to whoever collects traces. */
export interface Span {
  /** W3C Trace Context, for what follows from it elsewhere; undefined where nothing is traced. */
  readonly traceparent: string | undefined;
  /** `failed`: what went wrong, in a word (`error.type`). */
  end(attributes?: Attributes, failed?: string): void;
}

interface Beginning {
  readonly kind?: 'server' | 'client' | 'internal';
  /** The `traceparent` of what it follows from. Without one, or with one that is none, a trace begins here. */
  readonly parent?: string | null | undefined;
  readonly attributes?: Attributes;
}

/** Ids, addresses of routes and hosts are told, never payloads, secrets, tokens or whole URLs. */
export interface Traces {
  readonly on: boolean;
  begin(name: string, beginning?: Beginning): Span;
  /** Runs `work` as a part of a span. */
  within<T>(span: Span, work: () => T): T;
  /** What runs now, as `traceparent`. */
  here(): string | undefined;
  /** Sends what is left. */
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
