import { errorStatusesOf, type RouteDeclaration } from '@moonbase/contract/route';
import * as z from 'zod';
import { answersOf, bare, type Fields, typeOf } from './client-types.ts';

/** Lines of TypeScript for the parameters of a function, and for the request that it makes from them. */
interface Lines {
  readonly parameters: readonly string[];
  readonly request: readonly string[];
}

const NOTHING: Lines = { parameters: [], request: [] };

/** Returns the client function that calls a route. */
export function functionText(route: RouteDeclaration): string {
  const { id, method, path } = route;
  if (answersOf(route).length === 0)
    throw new Error(`${id} answers no JSON: write its function by hand, in packages/client/src/handwritten`);
  const parts = [paramLines(route), queryLines(route), bodyLines(route)];
  const parameters = parts.flatMap((part) => part.parameters);
  const request = [`method: '${method}'`, `path: '${path}'`, ...parts.flatMap((part) => part.request)];
  const type = typeOf(route);
  const [call, result] = isPaged(route)
    ? ['entriesOf', `AsyncGenerator<Entry<${type}>, void, undefined>`]
    : ['call', `Promise<SuccessAnswer<${type}>>`];
  return [
    ...comment(docOf(route)),
    `export function ${id}(params: Hub${parameters.length > 0 ? ` & {\n${parameters.join('\n')}\n}` : ''}): ${result} {`,
    `return ${call}<${type}>(params, { ${request.join(', ')} });`,
    '}',
  ].join('\n');
}

const isPaged = ({ query }: RouteDeclaration): boolean => query !== undefined && 'cursor' in query.shape;

function docOf(route: RouteDeclaration): string[] {
  const told = Object.entries(route.otherAnswers ?? {}).filter(([status]) => Number(status) >= 400);
  const declared = [...told.map(([status]) => status), ...Object.keys(route.answers)].map(Number);
  // Statuses from 410 on concern every request, such as one that is too large.
  const statuses = [
    ...errorStatusesOf(route).filter((status) => status >= 400 && status < 410),
    ...declared.filter((status) => status >= 400),
  ];
  const sorted = [...new Set(statuses)].sort((a, b) => a - b);
  return [
    [
      `${route.summary}.`,
      route.description ?? [],
      isPaged(route) ? 'Returns the entries of all pages, asking for `pageSize` at a time.' : [],
    ]
      .flat()
      .join(' '),
    ...(sorted.length > 0 ? ['', `Throws a \`HubApiError\`: ${sorted.join(', ')}.`] : []),
    ...told.map(([status, sentence]) => `- ${status}: ${sentence}`),
  ];
}

/** A repository is named by its `type` and by `repo`, as in `namespace/name`. */
function paramLines(route: RouteDeclaration): Lines {
  if (!route.params) return NOTHING;
  const { repoType, namespace, repo, ...others } = route.params.shape as Fields;
  const isOfRepo = namespace && repo;
  const types =
    repoType instanceof z.ZodEnum ? repoType.options.map((plural) => `'${String(plural).slice(0, -1)}'`) : [];
  const { parameters, request } = fieldLines(route, 'params', isOfRepo ? others : (route.params.shape as Fields));
  const ofRepo = isOfRepo ? [`...${repoType ? 'repoParams(params)' : 'splitRepo(params.repo)'}`] : [];
  return {
    parameters: [
      ...(repoType ? [`readonly type: ${types.join(' | ')};`] : []),
      ...(isOfRepo ? ['/** namespace/name */', 'readonly repo: string;'] : []),
      ...parameters,
    ],
    request: [`params: { ${[...ofRepo, ...request].join(', ')} }`],
  };
}

function queryLines(route: RouteDeclaration): Lines {
  if (!route.query) return NOTHING;
  const { limit, ...filters } = route.query.shape as Fields;
  // A schema that accepts any value has no effect in JSON.
  const telling = Object.entries(filters).filter(([, schema]) => !(bare(schema) instanceof z.ZodUnknown));
  const fields = { ...Object.fromEntries(telling), ...(limit && { limit }) };
  const { parameters, request } = fieldLines(route, 'query', fields);
  return { parameters, request: request.length > 0 ? [`query: { ${request.join(', ')} }`] : [] };
}

function bodyLines(route: RouteDeclaration): Lines {
  const { id, body, rawBody, client: names } = route;
  const whole = typeof names?.body === 'string' ? names.body : undefined;
  const type = rawBody ? 'Blob' : `RouteBody<${typeOf(route)}>`;
  if (whole)
    return {
      parameters: [`readonly ${whole}: ${type};`],
      request: [`${rawBody ? 'rawBody' : 'body'}: params.${whole}`],
    };
  if (body === undefined && rawBody === undefined) return NOTHING;
  if (!(body instanceof z.ZodObject)) throw new Error(`${id} takes a body without fields: name it, as \`client.body\``);
  const { parameters, request } = fieldLines(route, 'body', body.shape as Fields);
  return { parameters, request: [`body: { ${request.join(', ')} }`] };
}

function fieldLines(route: RouteDeclaration, part: 'params' | 'query' | 'body', fields: Fields): Lines {
  const own = route.client?.[part];
  const ofLists = isPaged(route) ? { limit: 'pageSize', cursor: null } : { p: 'page' };
  const names: Record<string, string | null> = {
    ...(part === 'query' && ofLists),
    ...(typeof own === 'object' && own),
  };
  const whole = { params: 'RouteParams', query: 'RouteQuery', body: 'RouteBody' }[part];
  const lines = Object.entries(fields).map(([field, schema]): Lines => {
    const constant = constantOf(schema);
    if (constant) return { parameters: [], request: [`${field}: ${constant}`] };
    const name = names[field] === undefined ? field : names[field];
    if (name === null) return NOTHING;
    const isOptional = schema.safeParse(undefined).success;
    const plain = part === 'body' ? bodyType(schema) : urlType(schema);
    const type = plain ? plain + (isOptional ? ' | undefined' : '') : `${whole}<${typeOf(route)}>['${field}']`;
    const description = schema.meta()?.description ?? bare(schema).meta()?.description;
    return {
      parameters: [...comment(description ? [description] : []), `readonly ${name}${isOptional ? '?' : ''}: ${type};`],
      request: [`${field}: params.${name}`],
    };
  });
  return { parameters: lines.flatMap((line) => line.parameters), request: lines.flatMap((line) => line.request) };
}

/** Returns the constant of a literal or a list of one, which needs no parameter. */
function constantOf(schema: z.ZodType): string | undefined {
  const inner = bare(schema);
  const literal = inner instanceof z.ZodArray ? inner.element : inner;
  if (!(literal instanceof z.ZodLiteral) || literal.values.size > 1) return undefined;
  return JSON.stringify(inner === literal ? literal.value : [literal.value]);
}

function bodyType(schema: z.ZodType): string | undefined {
  const inner = bare(schema);
  if (inner instanceof z.ZodString) return 'string';
  if (inner instanceof z.ZodNumber) return 'number';
  return inner instanceof z.ZodBoolean ? 'boolean' : undefined;
}

/** Returns the parsed type of numbers and booleans, which are texts in a URL. */
function urlType(schema: z.ZodType): string | undefined {
  const shown = schema.meta()?.jsonSchema as { readonly type?: string } | undefined;
  if (shown?.type === 'number' || typeof schema.safeParse('10').data === 'number') return 'number';
  return typeof schema.safeParse('true').data === 'boolean' ? 'boolean' : bodyType(schema);
}

function comment(paragraphs: readonly string[]): string[] {
  const lines = paragraphs.flatMap((text) => text.match(/.{1,112}(?:\s+|$)/g) ?? ['']).map((line) => line.trimEnd());
  if (lines.length < 2) return lines.map((line) => `/** ${line} */`);
  return ['/**', ...lines.map((line) => ` * ${line}`.trimEnd()), ' */'];
}
