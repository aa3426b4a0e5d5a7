import { createHash } from 'node:crypto';
import { createPasswordHashing } from '../../packages/server/src/sign-in/passwords/hashing.ts';
import { type BenchHub, startBenchHub } from '../hub.ts';

export const PASSWORD = 'seven quiet herons';
/** The public address of the hub, which requests name as a proxy would. */
const HOME = 'http://hub.example';

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const id = (kind: string, at: number): string => kind + at.toString(16).padStart(23, '0');

/** Starts a hub behind a proxy, so that requests come from any address, with a mail server that refuses every mail. */
export const startHubOfPeople = (): Promise<BenchHub> =>
  startBenchHub({
    MOONBASE_TRUSTED_PROXIES: '127.0.0.1',
    MOONBASE_PUBLIC_URL: HOME,
    MOONBASE_SMTP_URL: 'smtp://127.0.0.1:9',
    MOONBASE_MAIL_FROM: 'hub@hub.example',
    // Each refused mail would otherwise be a line of the log.
    MOONBASE_LOG_LEVEL: 'fatal',
  });

/** Inserts users `p-0`, `p-1` and so on with confirmed addresses and a password. */
export async function addPeople({ side }: BenchHub, count: number): Promise<void> {
  const stored = await createPasswordHashing().hash(PASSWORD);
  const all = Array.from({ length: count }, (_, at) => at);
  const rows = (row: (at: number) => string) => all.map(row).join(', ');
  await side.run(`insert into accounts (id, kind, name, name_key, fullname, email, created_at)
    values ${rows((at) => `('${id('a', at)}', 'user', 'p-${at}', 'p-${at}', 'P', 'p-${at}@hub.example', 0)`)}`);
  await side.run(`insert into passwords (user_id, hash, changed_at)
    values ${rows((at) => `('${id('a', at)}', '${stored}', 0)`)}`);
}

/** Inserts a user without a password. */
export const addPasswordless = ({ side }: BenchHub, name: string): Promise<void> =>
  side.run(`insert into accounts (id, kind, name, name_key, fullname, created_at)
    values ('${id('b', 0)}', 'user', '${name}', '${name}', 'P', 0)`);

/** Inserts a session of a user without a sign-in; returns the header `Cookie` of the browser. */
export async function beginSession({ side }: BenchHub, name: string): Promise<string> {
  const secret = `secret-of-${name}`;
  const now = Date.now();
  await side.run(`insert into sessions
      (id, hash, user_id, method, created_at, seen_at, strong_at, expires_at, address)
    select '${sha256(name).slice(0, 24)}', '${sha256(secret)}', id, 'password', ${now}, ${now}, ${now},
      ${now + 86_400_000}, '10.0.0.1' from accounts where name = '${name}'`);
  return `moonbase-80=${secret}`;
}

/** Sends a request as a page of the hub, from an address; returns the status and the text of the answer. */
export async function ask(
  hub: Pick<BenchHub, 'url'>,
  { method = 'POST', path, body, address, cookie }: Asked,
): Promise<{ readonly status: number; readonly text: string; readonly ms: number }> {
  const startedAt = performance.now();
  const answer = await fetch(hub.url.origin + path, {
    method,
    headers: {
      ...{ 'content-type': 'application/json', origin: HOME, 'x-forwarded-for': address },
      ...{ 'x-forwarded-host': 'hub.example', ...(cookie !== undefined && { cookie }) },
    },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  return { status: answer.status, text, ms: performance.now() - startedAt };
}

interface Asked {
  readonly method?: string;
  readonly path: string;
  readonly body: object;
  /** The client address that the proxy reports. */
  readonly address: string;
  readonly cookie?: string;
}

let addresses = 0;
/** Returns an unused address in a block of its own. */
export function newAddress(): string {
  addresses += 1;
  return `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`;
}
