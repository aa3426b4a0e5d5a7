import type { Dispatcher } from 'undici';
import { type Answer, answerOf, KEPT_BYTES } from './answer.ts';
import { OutboundFailure } from './failure.ts';

const READ_BYTES = 64 * 1024;

/** Takes how an exchange ended, once; `complete`: the answer came whole, and the connection is fit for another. */
export type Settle = (outcome: Answer | Error, complete: boolean) => void;

/** One request and its answer, as undici reports it. At most 64 KiB of an answer are read, headers included. */
export class Exchange implements Dispatcher.DispatchHandler {
  /** When it is given up, on the clock of `performance.now()`. */
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

  /** Counts bytes of the answer as they come off the connection, before they are parsed; returns whether it is enough. */
  received(bytes: number): boolean {
    this.#bytes += bytes;
    return this.#bytes >= READ_BYTES;
  }

  /** Enough is read: what has come is the answer, if its status has come. */
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
