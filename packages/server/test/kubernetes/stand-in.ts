import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { createCluster, type Plural, type StoredObject } from './cluster.ts';
import { type Matched, nameFaults, operationOf, queryFaults, schemaFaults } from './published.ts';

const TOKEN = 'a-token-of-a-service-account';
export const NAMESPACE = 'moonbase-jobs';

/** The fault that replaces the answer to the next matching request. */
export interface Fault {
  readonly on: (request: { readonly method: string; readonly url: string }) => boolean;
  readonly status?: number;
  readonly retryAfter?: number;
  readonly message?: string;
  /** Whether the connection is reset before or after the request takes effect. */
  readonly reset?: 'before' | 'after';
}

export interface RecordedRequest {
  readonly method: string;
  readonly url: string;
  readonly body: unknown;
}

export type StandIn = Awaited<ReturnType<typeof startStandIn>>;

/** Starts a Kubernetes API server on loopback that accepts only the published API. */
export async function startStandIn(now: () => number) {
  const cluster = createCluster(now);
  const requests: RecordedRequest[] = [];
  const violations: string[] = [];
  const faults: Fault[] = [];
  const watches = new Set<ServerResponse>();
  const follows = new Set<ServerResponse>();
  const sockets = new Set<Socket>();
  let pageSize = Number.POSITIVE_INFINITY;
  let sentOfLogs = 0;

  const json = (response: ServerResponse, status: number, value: unknown, headers = {}): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
  };
  const refuse = (response: ServerResponse, code: number, reason: string, message: string, headers = {}): void => {
    const status = { apiVersion: 'v1', kind: 'Status', status: 'Failure', metadata: {}, code, reason, message };
    json(response, code, status, headers);
  };
  const violated = (response: ServerResponse, what: readonly string[]) => {
    violations.push(...what);
    refuse(response, 422, 'Invalid', what.join('; '));
  };

  function create(sent: StoredObject, plural: Plural, response: ServerResponse) {
    const found = [
      ...nameFaults(sent),
      ...(sent.spec?.template
        ? nameFaults({ metadata: { name: 'pod', labels: sent.spec.template.metadata.labels } })
        : []),
    ];
    if (found.length > 0) return violated(response, found);
    if (cluster.find(plural, sent.metadata.name))
      return refuse(response, 409, 'AlreadyExists', `${plural} "${sent.metadata.name}" already exists`);
    const owner = sent.metadata.ownerReferences?.[0]?.uid;
    if (owner !== undefined && !cluster.all('jobs').some(({ metadata }) => metadata.uid === owner))
      return violated(response, ['an owner that is not there']);
    const { metadata } = cluster.create(sent);
    json(response, 201, cluster.find(plural, metadata.name) ?? {});
  }

  function list(plural: Plural, query: URLSearchParams, response: ServerResponse) {
    const matching = cluster.all(plural).filter(({ metadata }) => selects(query.get('labelSelector'), metadata.labels));
    const from = Number(query.get('continue') ?? 0);
    const end = from + Math.min(pageSize, Number(query.get('limit') ?? Number.POSITIVE_INFINITY));
    const metadata = {
      resourceVersion: String(cluster.version()),
      ...(end < matching.length && { continue: String(end) }),
    };
    json(response, 200, { apiVersion: 'v1', kind: 'List', metadata, items: matching.slice(from, end) });
  }

  function watch(plural: Plural, query: URLSearchParams, response: ServerResponse) {
    let sent = Number(query.get('resourceVersion'));
    if (sent < cluster.oldest())
      return refuse(response, 410, 'Expired', `too old resource version: ${sent} (${cluster.oldest()})`);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.flushHeaders();
    const kind = { jobs: 'Job', pods: 'Pod', secrets: 'Secret' }[plural];
    const flush = (): void => {
      if (response.writableEnded) return;
      for (const { version, type, object } of cluster.changesAfter(sent)) {
        sent = version;
        if (object.kind !== kind || !selects(query.get('labelSelector'), object.metadata.labels)) continue;
        response.write(`${JSON.stringify({ type, object })}\n`);
      }
    };
    watches.add(response);
    const end = cluster.listen(flush);
    response.once('close', () => {
      watches.delete(response);
      end();
    });
    flush();
  }

  function log(name: string, query: URLSearchParams, response: ServerResponse) {
    const pod = cluster.find('pods', name);
    if (!pod) return refuse(response, 404, 'NotFound', `pods "${name}" not found`);
    if (!pod.status?.containerStatuses)
      return refuse(response, 400, 'BadRequest', `container "job" in pod "${name}" is waiting to start`);
    const since = query.has('sinceTime')
      ? BigInt(Math.floor(Date.parse(query.get('sinceTime')!) / 1000)) * 1_000_000_000n
      : 0n;
    const held = cluster.logOf(name);
    let [next, sent, writing] = [0, 0, false];
    response.writeHead(200, { 'content-type': 'text/plain' });
    response.flushHeaders();
    follows.add(response);
    let goOn = () => {};
    response.on('drain', () => goOn()).once('close', () => goOn());
    /** Sends the available text as fast as the client reads; the last line may grow during that. */
    const flush = async (): Promise<void> => {
      if (writing || response.writableEnded) return;
      writing = true;
      for (let line = held.lines[next]; line && !response.destroyed; line = held.lines[next]) {
        const piece = line.text.slice(sent);
        if (line.time >= since && piece !== '') {
          sentOfLogs += piece.length;
          const flowing = response.write(sent === 0 ? `${timeText(line.time)} ${piece}` : piece);
          sent = line.text.length;
          if (!flowing) await new Promise<void>((resolve) => (goOn = resolve));
        } else if (line.text.endsWith('\n') || line.time < since) [next, sent] = [next + 1, 0];
        else break;
      }
      writing = false;
      if (query.get('follow') !== 'true' || held.ended) response.end();
    };
    const end = cluster.listen(() => void flush());
    response.once('close', () => {
      follows.delete(response);
      end();
    });
    void flush();
  }

  function carryOut(operation: Matched, query: URLSearchParams, body: unknown, response: ServerResponse) {
    const { kind, name, method } = operation;
    if (kind === 'log') return log(name, query, response);
    if (method === 'POST') return create(body as StoredObject, kind, response);
    if (name === '' && query.get('watch') === 'true') return watch(kind, query, response);
    if (name === '') return list(kind, query, response);
    const found = cluster.find(kind, name);
    if (!found) return refuse(response, 404, 'NotFound', `${kind} "${name}" not found`);
    if (method === 'GET') return json(response, 200, found);
    if (method === 'DELETE') {
      cluster.remove(found);
      return json(response, 200, { apiVersion: 'v1', kind: 'Status', status: 'Success', metadata: {} });
    }
    const { spec } = body as { spec: object };
    const changed = { ...found, spec: { ...found.spec, ...spec } };
    const wrong = schemaFaults(found.kind, changed);
    return wrong.length > 0 ? violated(response, wrong) : json(response, 200, cluster.update(changed));
  }

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const { method = '', url = '' } = request;
    const sent = await text(request);
    const body = sent === '' ? undefined : (JSON.parse(sent) as unknown);
    requests.push({ method, url, body });
    if (request.headers.authorization !== `Bearer ${TOKEN}`)
      return refuse(response, 401, 'Unauthorized', 'Unauthorized');
    const { pathname, searchParams } = new URL(url, 'http://loopback');
    const operation = operationOf(method, pathname);
    if (!operation || operation.namespace !== NAMESPACE)
      return violated(response, [`${method} ${pathname} is not allowed`]);
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const wrong = [
      ...queryFaults(operation, searchParams),
      ...(operation.body ? schemaFaults(operation.body, body) : []),
      ...(body !== undefined && request.headers['content-type'] !== type ? ['the type of the content'] : []),
    ];
    if (wrong.length > 0) return violated(response, wrong);
    const at = faults.findIndex(({ on }) => on({ method, url }));
    const [fault] = at < 0 ? [] : faults.splice(at, 1);
    if (fault?.reset === 'before') return void request.socket.resetAndDestroy();
    if (fault?.status) {
      const headers = fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) };
      return refuse(response, fault.status, 'Fault', fault.message ?? 'a fault of the test', headers);
    }
    if (fault?.reset === 'after') {
      carryOut(
        operation,
        searchParams,
        body,
        Object.assign(Object.create(response), { end: () => response }) as ServerResponse,
      );
      return void request.socket.resetAndDestroy();
    }
    carryOut(operation, searchParams, body, response);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      violations.push(`the stand-in failed: ${String(error)}`);
      response.destroy();
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    cluster,
    requests,
    violations,
    faults,
    connection: {
      server: `http://127.0.0.1:${port}`,
      namespace: NAMESPACE,
      tls: {},
      token: async () => TOKEN,
    },
    /** Returns the number of sent characters of logs. */
    sentOfLogs: () => sentOfLogs,
    watching: () => watches.size,
    following: () => follows.size,
    pageBy(size: number): void {
      pageSize = size;
    },
    /** Breaks every watch. */
    cutWatches(): void {
      for (const response of watches) response.socket?.resetAndDestroy();
    },
    /** Ends every watch, as a server does from time to time. */
    endWatches(): void {
      for (const response of watches) response.end();
    },
    /** Tells every watch that its resource version is too old. */
    expireWatches(): void {
      const object = {
        apiVersion: 'v1',
        kind: 'Status',
        status: 'Failure',
        code: 410,
        reason: 'Expired',
        message: 'too old',
      };
      for (const response of watches) response.end(`${JSON.stringify({ type: 'ERROR', object })}\n`);
    },
    bookmark(): void {
      const metadata = { resourceVersion: String(cluster.version()) };
      for (const response of watches)
        response.write(
          `${JSON.stringify({ type: 'BOOKMARK', object: { kind: 'Job', apiVersion: 'batch/v1', metadata } })}\n`,
        );
    },
    cutLogs(): void {
      for (const response of follows) response.socket?.resetAndDestroy();
    },
    async [Symbol.asyncDispose](): Promise<void> {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const selects = (selector: string | null, labels: Readonly<Record<string, string>>): boolean =>
  (selector ?? '').split(',').every((part) => {
    const [name = '', value] = part.split('=');
    return part === '' || labels[name] === value;
  });

/** Formats a time as machines do, with nine digits and their own zone. */
function timeText(nanos: bigint): string {
  const local = new Date(Number(nanos / 1_000_000_000n) * 1000 + 2 * 3_600_000).toISOString().slice(0, 19);
  return `${local}.${String(nanos % 1_000_000_000n).padStart(9, '0')}+02:00`;
}
