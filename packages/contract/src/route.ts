import type { z } from 'zod';

/**
 * The authority that a caller needs, declared beside each route.
 *
 * - `public`: no token needed. `signed-in`: any valid token. `site-admin`: a `write` token of a site administrator,
 *   `site-admin.read`: a `read` token of one is enough.
 * - A permission word (W§6.6): a `read` token covers words that end in `.read`, a `write` token covers all of them,
 *   a `fineGrained` token those it was given. `repo.content.read` is needed for what is private; any token reads what
 *   is public. The same holds for `collection.read`, which comes with `collection.write`. `resourceGroup.read` comes with `org.read` and with `resourceGroup.write`,
 *   `job.read` with `job.write`.
 */
export type Authority = 'public' | 'signed-in' | 'site-admin' | 'site-admin.read' | Permission;

/** The permissions that routes require. A fine-grained token can have each of them. */
export const ROUTE_PERMISSIONS = [
  'repo.content.read',
  'repo.write',
  'collection.read',
  'collection.write',
  'discussion.write',
  'user.webhooks.read',
  'user.webhooks.write',
  'user.settings.read',
  'user.settings.write',
  'user.notifications.read',
  'user.notifications.write',
  'org.read',
  'org.write',
  'resourceGroup.read',
  'resourceGroup.write',
  'job.read',
  'job.write',
] as const;
export type Permission = (typeof ROUTE_PERMISSIONS)[number];

/** The parameters of a function of the client, by their names on the wire; null for a value without a parameter. */
export type ClientNames = Readonly<Record<string, string | null>>;

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * One operation of the wire: requests, responses and the required authority.
 * Query values and path parameters are strings; their schemas turn them into values.
 */
export interface RouteDeclaration {
  /** The `operationId`, and the name of the generated function of the client (`npm run generate`). */
  readonly id: string;
  readonly method: Method;
  /** Path with parameters in braces. A last parameter named `{rev}` also accepts slashes (W§1.0-9). */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly authority: Authority;
  /**
   * Whether the operation needs no credentials for what is public, where the hub is open to strangers
   * (`MOONBASE_ANONYMOUS_READ`). For authorities that only read.
   */
  readonly anonymous?: true;
  /** The names of the client's parameters, where they differ from those on the wire. */
  readonly client?: {
    readonly params?: ClientNames;
    readonly query?: ClientNames;
    /** A name makes the whole body one parameter; otherwise its fields are parameters. */
    readonly body?: string | ClientNames;
  };
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  /** The JSON body. An empty body counts as `{}` (W§1.0-6). */
  readonly body?: z.ZodType;
  /** Whether the body may also be form-encoded: each field once, or with `repeated` any number of times. */
  readonly forms?: true | 'repeated';
  /**
   * Replaces `body` for a route that accepts bytes: the media types for the document. `stream`: the bytes are read as
   * they arrive, without a limit.
   */
  readonly rawBody?: { readonly description: string; readonly types: readonly string[]; readonly stream?: true };
  /** JSON responses by status; the document adds the errors. */
  readonly answers: Readonly<Record<number, z.ZodType>>;
  /**
   * A media type supported beside JSON, for bodies in both directions; the form of every error, and of a success if it
   * differs from JSON.
   */
  readonly media?: { readonly type: string; readonly error: z.ZodType; readonly answer?: z.ZodType };
  /** Sentences for the document about non-JSON responses, by status. */
  readonly otherAnswers?: Readonly<Record<number, string>>;
}

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;

/** The parsed path parameters, query and body of a route. */
export type RouteInput<R extends RouteDeclaration> = {
  readonly params: Parsed<R['params']>;
  readonly query: Parsed<R['query']>;
  readonly body: R extends { readonly rawBody: { readonly stream: true } }
    ? AsyncIterable<Uint8Array>
    : R extends { readonly rawBody: object }
      ? Uint8Array
      : Parsed<R['body']>;
};

/** The successful response of a route, of any 2xx status and media type. */
export type RouteAnswer<R extends RouteDeclaration> =
  | z.input<R['answers'][keyof R['answers']]>
  | (R['media'] extends { readonly answer: infer A extends z.ZodType } ? z.input<A> : never);

/** Declares a route and keeps its literal types. */
export const defineRoute = <const R extends RouteDeclaration>(route: R): R => route;

/** Returns the statuses without a success that follow from the declaration of a route; others are in its `otherAnswers`. */
export const errorStatusesOf = (route: RouteDeclaration): number[] => [
  // A repository that was moved.
  ...(route.path.includes('/{namespace}/{repo}') && route.authority !== 'public' ? [307] : []),
  ...(route.params || route.query || route.body || route.rawBody ? [400] : []),
  ...(route.authority === 'public' ? [] : [401, 403]),
  ...(route.params || route.authority === 'repo.write' ? [404] : []),
  ...(route.body ? [409] : []),
  ...(route.body || route.rawBody ? [413, 415] : []),
  ...(route.params ? [414] : []),
  ...(route.params || route.query ? [431] : []),
  ...(route.authority !== 'public' || route.params || route.body ? [503] : []),
];
