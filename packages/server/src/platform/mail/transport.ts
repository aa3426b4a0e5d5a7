export interface MailAddress {
  readonly name: string;
  readonly address: string;
}

/** A mail that is ready to go out. Nothing in it needs encoding or folding: the transport does that. */
export interface MailMessage {
  /** The address alone. */
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

/** What became of a mail. `reason` is one line for the log. */
export type SendResult =
  | { readonly kind: 'accepted' }
  /** The server does not have it, for certain. `permanent`: it is about this mail, and would not take it later either. */
  | { readonly kind: 'refused'; readonly permanent: boolean; readonly reason: string }
  /** The server may have it or not. */
  | { readonly kind: 'unknown'; readonly reason: string };

export interface MailTransport extends AsyncDisposable {
  /** Sends one mail; never throws, and comes to an end within its deadline. */
  send(message: MailMessage): Promise<SendResult>;
  /** Gives up what has not begun to send its message, and after a short grace the rest. */
  stop(): void;
}
