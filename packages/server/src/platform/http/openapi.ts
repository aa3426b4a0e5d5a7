import { ErrorBody } from '@moonbase/contract/errors';
import { errorStatusesOf, type RouteDeclaration } from '@moonbase/contract/route';
import * as z from 'zod';
import { parseJson } from '../stored-form.ts';

type Json = Record<string, unknown>;

const ERRORS: Readonly<Record<number, string>> = {
  307: 'Has been renamed; `Location` is the path with the new name.',
  400: 'The request is invalid; `issues` names each fault.',
  401: 'The access token is missing or unknown.',
  403: 'The caller is known and not allowed.',
  404: 'Does not exist, or is not visible to the caller.',
  409: 'Conflicts with the current state.',
  413: 'The body is too large.',
  415: 'The media type of the body is not accepted.',
  414: 'A part of the path is too long.',
  431: 'The URL and the headers are too long.',
  503: 'The database is unavailable; `Retry-After` says when to try again.',
};

/** The parts of the document that do not come from routes. */
interface DocumentParts {
  readonly description: string;
  /** Tag to description. */
  readonly tags: Readonly<Record<string, string>>;
  /** Schemas to include even though no route refers to them. */
  readonly beside?: readonly z.ZodType[];
}

/**
 * Returns the OpenAPI 3.1 document of the given routes, made from the declarations that validate requests. The caller
 * adds `servers`, which depends on the address that the request used.
 */
export function openApiDocument(
  routes: readonly RouteDeclaration[],
  { description, tags, beside = [] }: DocumentParts,
) {
  const components: Record<string, Json> = {};
  const schema = (type: z.ZodType) => jsonSchema(type, components);
  for (const type of beside) schema(type);
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route, schema) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Moonbase',
      version: '0.0.1',
      description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    security: [{ bearerAuth: [] }],
    tags: [...new Set(routes.flatMap((route) => route.tags))]
      .sort()
      .map((name) => ({ name, description: tags[name] ?? name })),
    paths,
    components: {
      securitySchemes: { bearerAuth: { type: 'http', scheme: 'bearer', description: 'An access token: `hf_…`' } },
      schemas: components,
    },
  };
}

function operation(route: RouteDeclaration, schema: (type: z.ZodType) => Json): Json {
  return {
    operationId: route.id,
    summary: route.summary,
    ...(route.description && { description: route.description }),
    tags: route.tags,
    ...securityOf(route),
    parameters: [...parameters('path', route.params, schema), ...parameters('query', route.query, schema)],
    ...(route.body && {
      requestBody: {
        required: !route.body.safeParse({}).success,
        content: contentOf(schema(route.body), route.forms ? FORM_TYPE : route.media?.type),
      },
    }),
    ...(route.rawBody && {
      requestBody: {
        required: true,
        description: route.rawBody.description,
        content: Object.fromEntries(route.rawBody.types.map((type) => [type, {}])),
      },
    }),
    responses: responses(route, schema),
  };
}

/** An empty requirement says that the credentials may be omitted, for what is public on a hub that is open to strangers. */
function securityOf({ authority, anonymous }: RouteDeclaration): Json {
  if (authority === 'public') return { security: [] };
  return { ...(anonymous && { security: [{ bearerAuth: [] }, {}] }), 'x-authority': authority };
}

function parameters(where: 'path' | 'query', object: z.ZodObject | undefined, schema: (type: z.ZodType) => Json) {
  const shape: Readonly<Record<string, z.ZodType>> = object?.shape ?? {};
  return Object.entries(shape).map(([name, type]) => ({
    name,
    in: where,
    required: where === 'path' || !type.safeParse(undefined).success,
    schema: schema(type),
  }));
}

function responses(route: RouteDeclaration, schema: (type: z.ZodType) => Json): Json {
  const { media } = route;
  const answer = (type: z.ZodType) => ({
    description: 'Success',
    content: contentOf(schema(type), media?.type, media?.answer && schema(media.answer)),
  });
  const error = (status: number, description = ERRORS[status] ?? 'Error') => ({
    description,
    ...(status === 503 && { headers: { 'Retry-After': { schema: { type: 'integer', minimum: 1 } } } }),
    // Errors of the HTTP parser (431) occur before routing and are therefore always JSON.
    content:
      media && status !== 431
        ? { [media.type]: { schema: schema(media.error) } }
        : { [JSON_TYPE]: { schema: schema(ErrorBody) } },
  });
  return {
    ...Object.fromEntries(Object.entries(route.answers).map(([status, type]) => [status, answer(type)])),
    ...Object.fromEntries(errorStatusesOf(route).map((status) => [status, error(status)])),
    ...Object.fromEntries(
      Object.entries(route.otherAnswers ?? {}).map(([status, text]) => [
        status,
        Number(status) < 400 ? { description: text } : error(Number(status), text),
      ]),
    ),
  };
}

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

const contentOf = (schema: Json, otherType?: string, otherSchema = schema) => ({
  [JSON_TYPE]: { schema },
  ...(otherType !== undefined && { [otherType]: { schema: otherSchema } }),
});

/** Returns the JSON Schema of a request or response; a schema with an id becomes a component and a reference. */
function jsonSchema(type: z.ZodType, components: Record<string, Json>): Json {
  // JSON Schema is JSON, although zod gives it a type of its own.
  const {
    $schema: _,
    $defs,
    ...schema
  } = z.toJSONSchema(type, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) =>
      applyDeclaredSchema(z.globalRegistry.get(zodSchema)?.jsonSchema, jsonSchema as Json),
  }) as Json & { $defs?: Record<string, Json> };
  for (const [id, definition] of Object.entries($defs ?? {})) components[id] ??= withComponentRefs(definition);
  const id = type.meta()?.id;
  if (id === undefined) return withComponentRefs(schema);
  components[id] ??= withComponentRefs(schema);
  return { $ref: `#/components/schemas/${id}` };
}

/** Replaces the JSON Schema of a type by `.meta({ jsonSchema })`, which types with a preprocessing step declare. */
function applyDeclaredSchema(replacement: unknown, schema: Json): void {
  if (!replacement) return;
  for (const key of Object.keys(schema)) delete schema[key];
  Object.assign(schema, replacement);
}

function withComponentRefs(schema: Json): Json {
  const text = JSON.stringify(schema, (key, value) => (key === 'id' && typeof value === 'string' ? undefined : value));
  return parseJson<Json>(text.replaceAll('"#/$defs/', '"#/components/schemas/'));
}
