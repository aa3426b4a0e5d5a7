/** What one connection may take of the server, in milliseconds. */
export interface ConnectionLimits {
  /** From the connection, or the first byte of a further request, to the end of the headers. */
  readonly headersMs: number;
  /** To the end of the body: 64 MiB, the largest document, at 5 Mbit/s. */
  readonly requestMs: number;
  /** Without a request after an answer; longer than what proxies keep theirs, so that the hub is not the one to close. */
  readonly keepAliveMs: number;
  /** How often the first two are looked at. */
  readonly checkMs: number;
  /** Connections at a time; one more is closed at once. Below what a process may have open, which the database needs. */
  readonly connections: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  headersMs: 15_000,
  requestMs: 120_000,
  keepAliveMs: 75_000,
  checkMs: 3000,
  connections: 10_000,
};
