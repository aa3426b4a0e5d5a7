export interface MailAddress {
  readonly name: string;
  readonly address: string;
}

/** A complete mail; the transport does all encoding and folding. */
export interface MailMessage {
  /** The bare address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Epoch milliseconds. */
  readonly date: number;
  /** With angle brackets. */
  readonly messageId: string;
  /** Further headers. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The outcome of sending a mail; `reason` is one line for the log. */
export type SendResult =
  | { readonly kind: 'accepted' }
  /**
   * The server certainly does not have the mail. `permanent`: the mail itself was refused, so that retrying is useless.
   */
  | { readonly kind: 'refused'; readonly permanent: boolean; readonly reason: string }
  /** The server may have it or not. */
  | { readonly kind: 'unknown'; readonly reason: string };

export interface MailTransport extends AsyncDisposable {
  /** Sends one mail within a deadline; never throws. */
  send(message: MailMessage): Promise<SendResult>;
  /** Resolves with the reason why the server cannot be used; undefined if it answers and takes the credentials. */
  check(): Promise<string | undefined>;
  /** Aborts mails whose transmission has not begun, and the others after a short grace period. */
  stop(): void;
}
