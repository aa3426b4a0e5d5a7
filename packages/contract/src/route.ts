import type { z } from 'zod';

/**
 * What a caller must be allowed to do, declared beside each route.
 *
 * - `public`: no token needed. `signed-in`: any valid token. `site-admin`: a `write` token of a site administrator,
 *   `site-admin.read`: a `read` token of one is enough.
 * - A permission word (W§6.6): a `read` token covers words that end in `.read`, a `write` token covers all of them,
 *   a `fineGrained` token those it was given. `repo.content.read` is needed for what is private; any token reads what
 *   is public. `resourceGroup.read` comes with `org.read` and with `resourceGroup.write`,
 *   `job.read` with `job.write`.
 */
export type Authority = 'public' | 'signed-in' | 'site-admin' | 'site-admin.read' | Permission;

/** The permission words that routes ask for. A fine-grained token can be given each of them. */
export const ROUTE_PERMISSIONS = [
  'repo.content.read',
  'repo.write',
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

/** Parameters of a function of the client by their names on the wire; null: the function has none for it. */
export type ClientNames = Readonly<Record<string, string | null>>;

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * One operation of the wire: what may be sent, what is answered, who may call.
 * Query values and path parameters are strings; their schemas turn them into values.
 */
export interface RouteDeclaration {
  /** `operationId`: also the name of the client's function, which is generated (`npm run generate`). */
  readonly id: string;
  readonly method: Method;
  /** Path with parameters in braces. A last parameter named `{rev}` also takes slashes (W§1.0-9). */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly authority: Authority;
  /** Where the parameters of the client's function have other names than those of the wire. */
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
  /** Instead of `body`: the bytes as they are, and which media types the document names. */
  readonly rawBody?: { readonly description: string; readonly types: readonly string[] };
  /** JSON answers by status; errors are added to the document by themselves. */
  readonly answers: Readonly<Record<number, z.ZodType>>;
  /**
   * What is spoken beside JSON: a media type for bodies in both directions, the form that every error has, and that of
   * a success where it is another one.
   */
  readonly media?: { readonly type: string; readonly error: z.ZodType; readonly answer?: z.ZodType };
  /** Other answers than JSON, by status: a sentence for the document. */
  readonly otherAnswers?: Readonly<Record<number, string>>;
}

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;

/** The parsed path parameters, query and body of a route. */
export type RouteInput<R extends RouteDeclaration> = {
  readonly params: Parsed<R['params']>;
  readonly query: Parsed<R['query']>;
  readonly body: R extends { readonly rawBody: object } ? Uint8Array : Parsed<R['body']>;
};

/** What a route answers on success, whatever its 2xx status and media type. */
export type RouteAnswer<R extends RouteDeclaration> =
  | z.input<R['answers'][keyof R['answers']]>
  | (R['media'] extends { readonly answer: infer A extends z.ZodType } ? z.input<A> : never);

/** Declares a route and keeps its literal types. */
export const defineRoute = <const R extends RouteDeclaration>(route: R): R => route;

/** The statuses of errors that any route of its kind may answer; those of its own stand in its `otherAnswers`. */
export const errorStatusesOf = (route: RouteDeclaration): number[] => [
  ...(route.params || route.query || route.body || route.rawBody ? [400] : []),
  ...(route.authority === 'public' ? [] : [401, 403]),
  ...(route.params || route.authority === 'repo.write' ? [404] : []),
  ...(route.body ? [409] : []),
  ...(route.body || route.rawBody ? [413, 415] : []),
  ...(route.params ? [414] : []),
  ...(route.params || route.query ? [431] : []),
  ...(route.authority !== 'public' || route.params || route.body ? [503] : []),
];
