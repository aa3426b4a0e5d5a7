import type { Dispatcher } from 'undici';
import { type Answer, answerOf, KEPT_BYTES } from './answer.ts';
import { OutboundFailure } from './failure.ts';

const READ_BYTES = 64 * 1024;

/**
 * Called once with the outcome of an exchange; `complete` says that the response was complete and the connection is
 * reusable.
 */
export type Settle = (outcome: Answer | Error, complete: boolean) => void;

/** One request and its response, as undici reports it. At most 64 KiB of a response are read, including headers. */
export class Exchange implements Dispatcher.DispatchHandler {
  /** The deadline of the exchange, in milliseconds of `performance.now()`. */
  readonly expiresAt: number;
  readonly #settle: Settle;
  readonly #kept: Buffer[] = [];
  #settled = false;
  #status = 0;
  #headers: Parameters<typeof answerOf>[1] = {};
  #bodyBytes = 0;
  #bytes = 0;

  constructor(expiresAt: number, settle: Settle) {
    this.expiresAt = expiresAt;
    this.#settle = settle;
  }

  /** Counts received bytes before they are parsed; returns whether the limit is reached. */
  received(bytes: number): boolean {
    this.#bytes += bytes;
    return this.#bytes >= READ_BYTES;
  }

  /** Ends the exchange at the size limit: the bytes so far are the response, if they contain a status. */
  cutOff(): void {
    this.#end(this.#status > 0 ? this.#answer() : new OutboundFailure('The answer has no end'), false);
  }

  fail(error: Error): void {
    this.#end(error, false);
  }

  onRequestStart(): void {}

  onResponseStart(_controller: unknown, status: number, headers: Parameters<typeof answerOf>[1]): void {
    if (status < 200) return; // informational, RFC 9110 §15.2: the answer is still to come
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    if (this.#bodyBytes < KEPT_BYTES) this.#kept.push(chunk);
    this.#bodyBytes += chunk.length;
  }

  onResponseEnd(): void {
    this.#end(this.#answer(), true);
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#end(error, false);
  }

  #answer(): Answer {
    return answerOf(this.#status, this.#headers, this.#kept);
  }

  #end(outcome: Answer | Error, complete: boolean): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#settle(outcome, complete);
  }
}
