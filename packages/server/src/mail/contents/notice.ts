/** A mail about a single event, outside of any thread. */
export interface Notice {
  readonly subject: string;
  /** Markdown. */
  readonly body: string;
  /** The address of a recipient who is not the user of the mail. */
  readonly to?: string;
}

/** What the text of a notice is made of, beside its stored cause. */
export interface NoticeParts {
  /** The address of the hub, for links. */
  readonly hubUrl: string;
  readonly invitationUrl: (invitation: { readonly id: string; readonly nonce: string | null }) => string;
  /** The page that a mailed link leads to, from the nonce of its code. */
  readonly linkUrl: (nonce: string) => string;
  readonly now: number;
}
