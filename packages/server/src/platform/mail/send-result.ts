import * as z from 'zod';
import type { SendResult } from './transport.ts';

/** Codes of nodemailer for failures of this mail, as opposed to failures of the session. */
const ABOUT_THE_MAIL = ['EENVELOPE', 'EMESSAGE'];
const MAX_LENGTH = 300;

/** The properties that nodemailer adds to its errors. */
const SmtpError = z
  .object({
    code: z.string().optional().catch(undefined),
    response: z.string().optional().catch(undefined),
    responseCode: z.number().optional().catch(undefined),
  })
  .catch({});

/** Returns the response of the server, or else the message of the error, in one line without secrets. */
export function reasonOf(error: unknown, withoutSecrets: (text: string) => string): string {
  const { response } = SmtpError.parse(error);
  const message = error instanceof Error ? error.message : String(error);
  return withoutSecrets(response ?? message)
    .replace(/\p{Cc}+/gu, ' ')
    .slice(0, MAX_LENGTH);
}

/**
 * Returns what an error of nodemailer means for a mail. Once sending has begun, only a response of the server (RFC 5321
 * §4.2.1: 4yz and 5yz) proves that it does not have the mail; a broken connection proves nothing.
 */
export function resultOf(error: unknown, begun: boolean, withoutSecrets: (text: string) => string): SendResult {
  const { code, responseCode: status } = SmtpError.parse(error);
  const reason = reasonOf(error, withoutSecrets);
  if (begun && (status === undefined || status < 400)) return { kind: 'unknown', reason };
  const permanent = ABOUT_THE_MAIL.includes(code ?? '') && isPermanent(status);
  return { kind: 'refused', permanent, reason };
}

/**
 * 503 (bad sequence of commands) concerns the session. An error without a status means that the mail itself is
 * impossible.
 */
const isPermanent = (status: number | undefined): boolean =>
  status === undefined || (status >= 500 && status < 600 && status !== 503);
