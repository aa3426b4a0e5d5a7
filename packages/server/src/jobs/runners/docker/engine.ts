import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { createSecureContext } from 'node:tls';
import { Agent, type Dispatcher, request } from 'undici';
import { codeOf } from '../../../platform/error-text.ts';

/** The address of an engine: a socket of this machine, or a host and port. */
export interface EngineAddress {
  /** `unix:///path`, `tcp://host:port`, `http://host:port` or `https://host:port`. */
  readonly url: string;
  /** A folder with `ca.pem`, `cert.pem` and `key.pem` for TLS to a host. */
  readonly certificates: string | undefined;
}

/** An error response of an engine. */
export class EngineFault extends Error {
  override name = 'EngineFault';
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

interface RequestOptions {
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

interface WaitOptions {
  /** How long the engine may be silent; 0 means forever. */
  readonly patienceMs: number;
  readonly signal?: AbortSignal;
}

/** The Docker Engine API, which Podman's service also implements. */
export interface Engine {
  /**
   * Returns the JSON of the response, which has the type `T` according to the API documentation; undefined if it is not
   * JSON. Throws an `EngineFault` for an error status.
   */
  ask<T = unknown>(method: 'GET' | 'POST' | 'DELETE', path: string, options?: RequestOptions): Promise<T | undefined>;
  /** Returns the body of a streamed response. */
  stream(method: 'GET' | 'POST', path: string, options: RequestOptions & WaitOptions): Promise<Readable>;
  close(): Promise<void>;
}

/** Long enough to create a container on an engine without layers, which copies the image. */
const ANSWER_MS = 300_000;
const CONNECT_MS = 10_000;

/** Reads the files of a TLS connection. Throws an error that names the setting if one is missing, or no pair. */
function readCertificates(folder: string) {
  const fault = (what: string, cause: unknown) =>
    new Error(
      `MOONBASE_DOCKER_CERT_PATH: ${what}; name a folder with ca.pem, cert.pem and key.pem, which this user may read.`,
      { cause },
    );
  const file = (name: string) => {
    try {
      return readFileSync(join(folder, name));
    } catch (error) {
      throw fault(`${join(folder, name)} cannot be read (${codeOf(error) ?? 'unknown'})`, error);
    }
  };
  const tls = { ca: file('ca.pem'), cert: file('cert.pem'), key: file('key.pem') };
  try {
    createSecureContext(tls);
  } catch (error) {
    throw fault(`the files in ${folder} are no certificates, or cert.pem and key.pem are no pair`, error);
  }
  return tls;
}

interface Base {
  readonly origin: string;
  readonly dispatcher: Agent;
}

function baseOf({ url, certificates }: EngineAddress): Base {
  const socketPath = /^unix:\/\/(.+)$/.exec(url)?.[1];
  if (socketPath !== undefined)
    return { origin: 'http://localhost', dispatcher: new Agent({ connect: { socketPath, timeout: CONNECT_MS } }) };
  const tls = certificates === undefined ? {} : readCertificates(certificates);
  const { protocol, host } = new URL(url.replace(/^tcp:/, 'http:'));
  const origin = `${certificates === undefined ? protocol : 'https:'}//${host}`;
  return { origin, dispatcher: new Agent({ connect: { ...tls, timeout: CONNECT_MS } }) };
}

function parseAnswer<T>(text: string): T | undefined {
  try {
    const value: T = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

function messageOf(text: string): string | undefined {
  const message = parseAnswer<{ readonly message?: unknown } | null>(text)?.message;
  return typeof message === 'string' ? message : undefined;
}

export function createEngine(address: EngineAddress): Engine {
  const { origin, dispatcher } = baseOf(address);
  let version: Promise<string> | undefined;

  const send = (
    method: Dispatcher.HttpMethod,
    path: string,
    { query, body, patienceMs, signal }: RequestOptions & WaitOptions,
  ) =>
    request(`${origin}${path}`, {
      ...{ method, dispatcher, query: query ?? {} },
      ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      ...{ headersTimeout: patienceMs, bodyTimeout: patienceMs, signal: signal ?? null },
    });

  /** Returns the API version of the engine, as a prefix of paths. */
  async function askVersion(): Promise<string> {
    const { headers, body } = await send('GET', '/_ping', { patienceMs: ANSWER_MS });
    await body.dump();
    const spoken = headers['api-version'];
    return typeof spoken === 'string' && /^\d+\.\d+$/.test(spoken) ? `/v${spoken}` : '';
  }

  async function answer(method: Dispatcher.HttpMethod, path: string, options: RequestOptions & WaitOptions) {
    version ??= askVersion();
    const prefix = await version.catch((error: unknown) => {
      version = undefined;
      throw error;
    });
    const { statusCode, body } = await send(method, `${prefix}${path}`, options);
    if (statusCode < 400) return body;
    const text = await body.text();
    throw new EngineFault(statusCode, messageOf(text) ?? `The engine answered with status ${statusCode}`);
  }

  return {
    async ask<T>(method: Dispatcher.HttpMethod, path: string, options: RequestOptions = {}) {
      const body = await answer(method, path, { ...options, patienceMs: ANSWER_MS });
      return parseAnswer<T>(await body.text());
    },
    stream: answer,
    close: () => dispatcher.destroy(),
  };
}
