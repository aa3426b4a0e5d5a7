import { isIP } from 'node:net';
import type { Readable } from 'node:stream';
import { onDemand } from '../on-demand.ts';
import { parseUrl } from '../outbound/target-url.ts';
import { reasonOf, resultOf } from './send-result.ts';
import type { MailAddress, MailTransport } from './transport.ts';

/** The number of pooled connections, and of concurrent mails. */
export const SMTP_CONNECTIONS = 5;

/** The time limit of one mail. */
const DEADLINE_MS = 60_000;
/** How long a mail in transmission may take when the hub stops. */
const GRACE_MS = 10_000;
/** Default timeouts; the URL may override them. */
const TIMEOUTS = { connectionTimeout: 10_000, dnsTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };
/** Options that the URL must not set: the hub relies on one connection per mail in flight, and retries by itself. */
const FIXED_OPTIONS = ['pool', 'maxConnections', 'maxRequeues', 'logger', 'debug', 'transactionLog'];

/** Exactly one address: no text that could be read as two addresses or that ends a header line. */
const ONE_ADDRESS = /^[^\s<>()[\]\\,;:"@\p{Cc}]+@[^\s<>()\\,;:"@\p{Cc}]+$/u;

interface SmtpOptions {
  /** `smtp://` or `smtps://`, with user name, password and options of nodemailer. */
  readonly url: string;
  readonly from: MailAddress;
  readonly deadlineMs?: number;
  readonly graceMs?: number;
}

/** Creates a transport that sends mails over pooled SMTP connections (nodemailer). It sends each mail at most once. */
export function createSmtp({ url, from, deadlineMs = DEADLINE_MS, graceMs = GRACE_MS }: SmtpOptions): MailTransport {
  const server = parseUrl(url);
  for (const name of FIXED_OPTIONS) server?.searchParams.delete(name);
  const transporter = onDemand('nodemailer').createTransport({
    ...TIMEOUTS,
    url: server?.href,
    pool: true,
    maxConnections: SMTP_CONNECTIONS,
    // Otherwise the pool would send a mail again after its connection broke.
    maxRequeues: 0,
  });
  const secrets = secretsOf(server);
  const withoutSecrets = (text: string) => secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), text);

  const underway = new Set<AbortController>();
  /** The message streams that the connections read. */
  const bodies = new WeakMap<AbortSignal, Readable>();
  transporter.use('stream', (mail, next) => {
    mail.message.processFunc((body) => {
      // nodemailer passes every message as a stream.
      if (mail.data.signal) bodies.set(mail.data.signal, body as Readable);
      return body;
    });
    next();
  });
  /** Returns whether a byte of the message may have reached the server. */
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
        return resultOf(error, begun(signal), withoutSecrets);
      } finally {
        clearTimeout(timer);
        underway.delete(givingUp);
      }
    },

    async check() {
      try {
        await transporter.verify();
        return undefined;
      } catch (error) {
        return reasonOf(error, withoutSecrets);
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

/** Returns what to change in the URL of an SMTP server; undefined if it is valid. */
export function smtpUrlFault(text: string): string | undefined {
  const url = parseUrl(text);
  if (url?.protocol !== 'smtp:' && url?.protocol !== 'smtps:') return 'must begin with smtp:// or smtps://';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return isIP(host) > 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(host) ? undefined : 'must name a host';
}

/** Returns the password of a URL in all encodings that a server might repeat. */
function secretsOf(url: URL | undefined): string[] {
  if (!url?.password) return [];
  const [user, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  const encoded = [password, `\0${user}\0${password}`].map((text) => Buffer.from(text).toString('base64'));
  return [...encoded, url.password, password];
}
