import { isIP } from 'node:net';
import type { Readable } from 'node:stream';
import { createTransport } from 'nodemailer';
import { parseUrl } from '../outbound/target-url.ts';
import { resultOf } from './send-result.ts';
import type { MailAddress, MailTransport } from './transport.ts';

/** Connections kept open, and mails in flight on them. */
export const SMTP_CONNECTIONS = 5;

/** For one mail, whatever the server does meanwhile. */
const DEADLINE_MS = 60_000;
/** How long a message that is on its way may take when the hub stops. */
const GRACE_MS = 10_000;
/** The URL may set others. */
const TIMEOUTS = { connectionTimeout: 10_000, dnsTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };
/** What the URL must not set: the hub counts on one connection for each mail in flight, and tries again by itself. */
const OURS = ['pool', 'maxConnections', 'maxRequeues', 'logger', 'debug', 'transactionLog'];

/** One address and nothing else: what could be read as two, or end a line, is nobody's. */
const ONE_ADDRESS = /^[^\s<>()[\]\\,;:"@\p{Cc}]+@[^\s<>()\\,;:"@\p{Cc}]+$/u;

interface SmtpOptions {
  /** `smtp://` or `smtps://`, with user name, password and options of nodemailer. */
  readonly url: string;
  readonly from: MailAddress;
  readonly deadlineMs?: number;
  readonly graceMs?: number;
}

/** Sends mails over SMTP, on connections that are kept (nodemailer's pool). Each is sent once, or not at all. */
export function createSmtp({ url, from, deadlineMs = DEADLINE_MS, graceMs = GRACE_MS }: SmtpOptions): MailTransport {
  const server = parseUrl(url);
  for (const name of OURS) server?.searchParams.delete(name);
  const transporter = createTransport({
    ...TIMEOUTS,
    url: server?.href,
    pool: true,
    maxConnections: SMTP_CONNECTIONS,
    // The pool would send again what went out over a connection that broke.
    maxRequeues: 0,
  });
  const secrets = secretsOf(server);
  const hidden = (text: string) => secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), text);

  const underway = new Set<AbortController>();
  /** The messages as the connections read them. */
  const bodies = new WeakMap<AbortSignal, Readable>();
  transporter.use('stream', (mail, next) => {
    mail.message.processFunc((body) => {
      if (mail.data.signal) bodies.set(mail.data.signal, body as Readable);
      return body;
    });
    next();
  });
  /** Whether a byte of the message may have reached the server, which then knows better than we what became of it. */
  const begun = (signal: AbortSignal): boolean => bodies.get(signal)?.readableDidRead === true;

  return {
    async send({ to, date, ...message }) {
      if (!ONE_ADDRESS.test(to)) return { kind: 'refused', permanent: true, reason: 'The address is not one address' };
      const givingUp = new AbortController();
      const { signal } = givingUp;
      const timer = setTimeout(() => givingUp.abort(), deadlineMs);
      underway.add(givingUp);
      try {
        await transporter.sendMail({
          ...message,
          from,
          to: { name: '', address: to },
          envelope: { from: from.address, to: [to] },
          date: new Date(date),
          disableFileAccess: true,
          disableUrlAccess: true,
          signal,
        });
        return { kind: 'accepted' };
      } catch (error) {
        return resultOf(error, begun(signal), hidden);
      } finally {
        clearTimeout(timer);
        underway.delete(givingUp);
      }
    },

    stop() {
      for (const sending of underway) {
        if (!begun(sending.signal)) sending.abort();
        else setTimeout(() => sending.abort(), graceMs).unref();
      }
    },

    async [Symbol.asyncDispose]() {
      transporter.close();
    },
  };
}

/** The URL of an SMTP server in the setting: what to change in it, or undefined. */
export function smtpUrlFault(text: string): string | undefined {
  const url = parseUrl(text);
  if (url?.protocol !== 'smtp:' && url?.protocol !== 'smtps:') return 'must begin with smtp:// or smtps://';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return isIP(host) > 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(host) ? undefined : 'must name a host';
}

/** The password of the URL in every form that a server might repeat. */
function secretsOf(url: URL | undefined): string[] {
  if (!url?.password) return [];
  const [user, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  const encoded = [password, `\0${user}\0${password}`].map((text) => Buffer.from(text).toString('base64'));
  return [...encoded, url.password, password];
}
