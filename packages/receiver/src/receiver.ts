import { type Answer, json, refusal } from './answer.ts';
import { createAuthenticator } from './authenticate.ts';
import { createDeliveries, createMemoryStore, type DeliveryStore, type Outcome } from './deliveries.ts';
import { basePathOf, createEndpoints } from './endpoints.ts';
import { createListeners, type DeliveryContext, type WebhookHandler } from './handlers.ts';
import { isPromise } from './maybe.ts';
import { parse } from './parse.ts';
import type { PayloadOf, Topic } from './payload.ts';
import type { IncomingRequest } from './request.ts';
import { run, within } from './run.ts';
import { type SecretOption, secretsOf } from './secrets.ts';
import { statusPage } from './status-page.ts';

export interface ReceiverOptions {
  /**
   * The `secret` of the webhook, or several while it is rotated. Default: the environment variable `WEBHOOK_SECRET`. If
   * neither is set, the endpoints are open to everyone.
   */
  readonly secret?: SecretOption;
  /** The path below which the endpoints are, as the hub calls it. Default: `/webhooks`. */
  readonly path?: string;
  /** The milliseconds after which the response is 202 while the handler goes on. Default: 5,000; the hub waits 10,000. */
  readonly answerWithin?: number;
  /** The maximum size of a body in bytes; larger ones get 413. Default: 1 MiB. */
  readonly maxBody?: number;
  /** Remembers which deliveries are done. Default: in memory; several processes need one that they share. */
  readonly store?: DeliveryStore;
  /** Whether `GET` of `path` responds with a page that lists the endpoints. Default: true. */
  readonly statusPage?: boolean;
  /** Called with what handlers throw, before and after the response. Default: writes it to `log`. */
  readonly onError?: (error: unknown, context?: DeliveryContext) => void;
  /** Where messages are written. Default: `console`. */
  readonly log?: Pick<Console, 'info' | 'warn' | 'error'>;
  /** The time, as `Date.now`. */
  readonly now?: () => number;
}

/** Receives webhooks. Give it to `createNodeHandler`, `createWebHandler` or `createFastifyPlugin`. */
export interface Receiver {
  /** The path that the endpoints are below. */
  readonly path: string;
  /**
   * Serves a handler at `POST /webhooks/<path>`; without a path under the name of the function.
   * Throws an `Error` where that is taken, a `TypeError` for a function without a name.
   */
  addWebhook(handler: WebhookHandler): void;
  addWebhook(path: string, handler: WebhookHandler): void;
  /**
   * Hears of events at every endpoint, and at `POST /webhooks` itself: of one (`repo.move`), of a scope (`repo`), of
   * all (`*`). Throws a `TypeError` for an event that does not exist.
   *
   * ```ts
   * receiver.on('discussion.comment.create', ({ comment }) => console.log(comment.content));
   * ```
   */
  on<T extends Topic>(topic: T, handler: WebhookHandler<PayloadOf<T>>): void;
  /** The paths that are served, in the order of registration. */
  endpoints(): string[];
  /** Whether a path is below that of this receiver. */
  serves(path: string): boolean;
  /** Answers a request; for adapters. Never rejects. */
  receive(request: IncomingRequest): Promise<Answer>;
  /** Resolves when no handler runs any more. */
  idle(): Promise<void>;
}

const SECOND = 1000;
const MEBIBYTE = 1_048_576;
const MAX_ID = 256;

const ACCEPTED = json(202, '{"accepted":true}');
const NOT_FOUND = json(404, '{"detail":"Not Found"}');
const notAllowed = (allow: string): Answer => json(405, '{"detail":"Method Not Allowed"}', { allow });
const answerOf = ({ done, text }: Outcome): Answer => json(done ? 200 : 500, text);
const HEARD: WebhookHandler = () => ({ received: true });

/**
 * Makes a receiver of webhooks. Throws a `TypeError` for an empty secret.
 *
 * ```ts
 * const receiver = createReceiver({ secret: 'hush' });
 * receiver.addWebhook(function retrain(payload) {
 *   return { repo: payload.repo.name };
 * });
 * createServer(createNodeHandler(receiver)).listen(4000);
 * ```
 */
export function createReceiver(options: ReceiverOptions = {}): Receiver {
  const { answerWithin = 5 * SECOND, maxBody = MEBIBYTE, log = console, now = Date.now } = options;
  const onError = options.onError ?? ((error: unknown) => log.error('A webhook failed:', error));
  const path = basePathOf(options.path ?? '/webhooks');
  const secrets = secretsOf(options.secret);
  const authenticate = createAuthenticator(secrets, now);
  const endpoints = createEndpoints<WebhookHandler>(path);
  const listeners = createListeners();
  const once = createDeliveries(options.store ?? createMemoryStore(), onError);
  const running = new Set<Promise<unknown>>();

  if (secrets.length > 0) log.info('Webhook secret is correctly defined.');
  else {
    log.warn('Webhook secret is not defined: the endpoints are open to everyone.');
    log.warn("To require one, set the environment variable WEBHOOK_SECRET, or createReceiver({ secret: '…' }).");
    log.warn('See "What is verified" in the README of @moonbase/receiver.');
  }

  const findEndpoint = (asked: string) =>
    endpoints.find(asked) ?? (asked === path && listeners.any ? { path, handler: HEARD } : undefined);

  async function receive(request: IncomingRequest): Promise<Answer> {
    const { method } = request;
    const endpoint = findEndpoint(request.path);
    if (request.path === path && method === 'GET' && (options.statusPage ?? true))
      return statusPage(paths(), secrets.length === 0);
    if (!endpoint) return NOT_FOUND;
    if (method !== 'POST') return notAllowed('POST');
    const { refused, bodyRefused } = authenticate(request);
    if (refused) return refused;
    const body = await request.body(maxBody);
    if (!body) return refusal(413, `The body is longer than ${maxBody} bytes.`, { connection: 'close' });
    const unsigned = bodyRefused?.(body);
    const refusedBody = isPromise(unsigned) ? await unsigned : unsigned;
    if (refusedBody) return refusedBody;
    const parsed = parse(body);
    if (typeof parsed === 'string') return refusal(422, parsed);

    const { payload, event } = parsed;
    const context = contextOf(request, endpoint.path, event);
    const start = () => run(endpoint.handler, listeners.of(payload), payload, context, onError);
    // The same delivery may be meant for two endpoints.
    const outcome = context.id === undefined ? start() : once(`${endpoint.path} ${context.id}`, start);
    return isPromise(outcome) ? inTime(outcome) : answerOf(outcome);
  }

  async function inTime(outcome: Promise<Outcome>): Promise<Answer> {
    running.add(outcome);
    void outcome.then(() => running.delete(outcome));
    const ended = await within(outcome, answerWithin);
    return ended ? answerOf(ended) : { ...ACCEPTED, unfinished: outcome };
  }

  const paths = () => [...(listeners.any ? [path] : []), ...endpoints.paths()];

  return {
    path,
    addWebhook(first: string | WebhookHandler, second?: WebhookHandler) {
      const handler = typeof first === 'string' ? second : first;
      if (typeof handler !== 'function') throw new TypeError('A webhook needs a handler');
      endpoints.add(typeof first === 'string' ? first : first.name, handler);
    },
    on: (topic, handler) => listeners.add(topic, handler),
    endpoints: paths,
    serves: (asked) => asked === path || asked.startsWith(`${path}/`),
    receive: (request) =>
      receive(request).catch((error: unknown) => {
        onError(error);
        return refusal(500, 'The request could not be read.');
      }),
    async idle() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

function contextOf(request: IncomingRequest, path: string, event: DeliveryContext['event']): DeliveryContext {
  const id = request.header('webhook-id');
  const seconds = request.header('webhook-timestamp');
  return {
    id: id !== undefined && id !== '' && id.length <= MAX_ID ? id : undefined,
    sentAt: seconds !== undefined && /^\d{1,11}$/.test(seconds) ? new Date(Number(seconds) * SECOND) : undefined,
    path,
    event,
    header: (name) => request.header(name.toLowerCase()),
  };
}
