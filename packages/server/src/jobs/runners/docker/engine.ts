import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Agent, type Dispatcher, request } from 'undici';

/** Where an engine is: a socket of this machine, or an address. */
export interface EngineAddress {
  /** `unix:///path`, `tcp://host:port`, `http://host:port` or `https://host:port`. */
  readonly url: string;
  /** A folder with `ca.pem`, `cert.pem` and `key.pem`: then an address is spoken to over TLS. */
  readonly certificates: string | undefined;
}

/** What an engine answered that it will not do. */
export class EngineFault extends Error {
  override name = 'EngineFault';
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

interface Asked {
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

interface Waiting {
  /** How long the engine may be silent; 0: for ever. */
  readonly patienceMs: number;
  readonly signal?: AbortSignal;
}

/** The Docker Engine API, which Podman's service speaks as well. */
export interface Engine {
  /** Asks once and answers what JSON came back. Throws an `EngineFault` for what the engine refuses. */
  ask(method: 'GET' | 'POST' | 'DELETE', path: string, asked?: Asked): Promise<unknown>;
  /** An answer that comes bit by bit. */
  stream(method: 'GET' | 'POST', path: string, asked: Asked & Waiting): Promise<Readable>;
  close(): Promise<void>;
}

/** Making a container copies its image where the engine has no layers. */
const ANSWER_MS = 300_000;
const CONNECT_MS = 10_000;

interface Base {
  readonly origin: string;
  readonly dispatcher: Agent;
}

function baseOf({ url, certificates }: EngineAddress): Base {
  const socketPath = /^unix:\/\/(.+)$/.exec(url)?.[1];
  if (socketPath !== undefined)
    return { origin: 'http://localhost', dispatcher: new Agent({ connect: { socketPath, timeout: CONNECT_MS } }) };
  const file = (name: string) => (certificates === undefined ? undefined : readFileSync(join(certificates, name)));
  const tls = certificates === undefined ? {} : { ca: file('ca.pem'), cert: file('cert.pem'), key: file('key.pem') };
  const { protocol, host } = new URL(url.replace(/^tcp:/, 'http:'));
  const origin = `${certificates === undefined ? protocol : 'https:'}//${host}`;
  return { origin, dispatcher: new Agent({ connect: { ...tls, timeout: CONNECT_MS } }) };
}

const textOf = (value: unknown): string | undefined => {
  const { message } = (value ?? {}) as { message?: unknown };
  return typeof message === 'string' ? message : undefined;
};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function createEngine(address: EngineAddress): Engine {
  const { origin, dispatcher } = baseOf(address);
  let version: Promise<string> | undefined;

  const send = (method: Dispatcher.HttpMethod, path: string, { query, body, patienceMs, signal }: Asked & Waiting) =>
    request(`${origin}${path}`, {
      ...{ method, dispatcher, query: query ?? {} },
      ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      ...{ headersTimeout: patienceMs, bodyTimeout: patienceMs, signal: signal ?? null },
    });

  /** Engines drop versions at both ends: what they speak, they say. */
  async function askVersion(): Promise<string> {
    const { headers, body } = await send('GET', '/_ping', { patienceMs: ANSWER_MS });
    await body.dump();
    const spoken = headers['api-version'];
    return typeof spoken === 'string' && /^\d+\.\d+$/.test(spoken) ? `/v${spoken}` : '';
  }

  async function answer(method: Dispatcher.HttpMethod, path: string, asked: Asked & Waiting) {
    version ??= askVersion();
    const prefix = await version.catch((error: unknown) => {
      version = undefined;
      throw error;
    });
    const { statusCode, body } = await send(method, `${prefix}${path}`, asked);
    if (statusCode < 400) return body;
    const text = await body.text();
    throw new EngineFault(statusCode, textOf(parsed(text)) ?? `The engine answered with status ${statusCode}`);
  }

  return {
    async ask(method, path, asked = {}) {
      const body = await answer(method, path, { ...asked, patienceMs: ANSWER_MS });
      return parsed(await body.text());
    },
    stream: answer,
    close: () => dispatcher.destroy(),
  };
}
