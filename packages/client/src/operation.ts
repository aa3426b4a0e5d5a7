import type { RouteDeclaration } from '@moonbase/contract/route';
import type { z } from 'zod';

type SuccessStatus = 200 | 201 | 202 | 204;
type Input<S> = S extends z.ZodType ? z.input<S> : never;
type Output<S> = S extends z.ZodType ? z.output<S> : never;

/** The path parameters of a route as they are sent, before the hub parses them: strings. */
export type RouteParams<R extends RouteDeclaration> = Input<R['params']>;

/** The query of a route as it is sent: strings, optional if the route has a default. */
export type RouteQuery<R extends RouteDeclaration> = Input<R['query']>;

/** The JSON body of a route as it is sent; fields with a default are optional. */
export type RouteBody<R extends RouteDeclaration> = Input<R['body']>;

/** The successful response of a route; every other response is thrown as a `HubApiError`. */
export type SuccessAnswer<R extends RouteDeclaration> = Output<
  R['answers'][Extract<keyof R['answers'], SuccessStatus>]
>;

/** An entry of the list that a route returns. */
export type Entry<R extends RouteDeclaration> = SuccessAnswer<R> extends readonly (infer T)[] ? T : never;

/** A value that a URL can contain. */
export type UrlValue = string | number | boolean;

type RawBody<R> = R extends { readonly rawBody: object } ? { readonly rawBody: Blob } : unknown;

type Part<R, Name extends string, Value> =
  R extends Readonly<Record<Name, z.ZodType>> ? { readonly [K in Name]: Value } : unknown;

type QueryPart<R extends RouteDeclaration> = R extends { readonly query: z.ZodType }
  ? { readonly query?: { readonly [Name in keyof RouteQuery<R>]?: UrlValue | readonly string[] | undefined } }
  : unknown;

/** A call of a route; the compiler checks its method, path, parameters and body against the route. */
export type Operation<R extends RouteDeclaration> = { readonly method: R['method']; readonly path: R['path'] } & Part<
  R,
  'params',
  { readonly [Name in keyof RouteParams<R>]: UrlValue }
> &
  QueryPart<R> &
  Part<R, 'body', RouteBody<R>> &
  RawBody<R>;
