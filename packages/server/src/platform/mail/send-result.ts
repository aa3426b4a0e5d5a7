import type { SendResult } from './transport.ts';

/** What nodemailer says when a server, or a rule of the protocol, refuses this mail rather than the session. */
const ABOUT_THE_MAIL = ['EENVELOPE', 'EMESSAGE'];
const MAX_LENGTH = 300;

/**
 * What an error of nodemailer means for a mail. Once the message was being sent, only an answer of the server tells
 * that it does not have it (RFC 5321 §4.2.1: 4yz and 5yz); a connection that broke tells nothing.
 */
export function resultOf(error: unknown, begun: boolean, hidden: (text: string) => string): SendResult {
  const { code, response, responseCode: status } = error as { code?: string; response?: string; responseCode?: number };
  const message = error instanceof Error ? error.message : String(error);
  const reason = hidden(response ?? message)
    .replace(/\p{Cc}+/gu, ' ')
    .slice(0, MAX_LENGTH);
  if (begun && (status === undefined || status < 400)) return { kind: 'unknown', reason };
  const permanent = ABOUT_THE_MAIL.includes(code ?? '') && isPermanent(status);
  return { kind: 'refused', permanent, reason };
}

/** 503 is about the session: bad sequence of commands. Without a status the mail itself is impossible. */
const isPermanent = (status: number | undefined): boolean =>
  status === undefined || (status >= 500 && status < 600 && status !== 503);
