/** Limits of one connection; times are in milliseconds. */
export interface ConnectionLimits {
  /** From connecting, or from the first byte of a later request, to the end of the headers. */
  readonly headersMs: number;
  /** From the headers to the end of the body: long enough for 64 MiB, the largest document, at 5 Mbit/s. */
  readonly requestMs: number;
  /** How long an idle connection stays open: longer than proxies keep theirs, so that the proxy closes first. */
  readonly keepAliveMs: number;
  /** How often the header and body limits are checked. */
  readonly checkMs: number;
  /**
   * The maximum number of connections; further ones are closed at once. It is lower than the limit of open files, which
   * the database needs as well.
   */
  readonly connections: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  headersMs: 15_000,
  requestMs: 120_000,
  keepAliveMs: 75_000,
  checkMs: 3000,
  connections: 10_000,
};
