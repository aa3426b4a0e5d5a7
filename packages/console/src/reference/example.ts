import { quoted } from '../ui/code/shell-text.ts';
import { type ApiDocument, type Operation, resolved, type Schema } from './document.ts';

/** The depth to which an example is filled. */
const MAX_DEPTH = 4;

/** Returns a value that a schema allows, with the required properties, or with all of them if none is required. */
export function exampleOf(given: Schema, document: ApiDocument, depth = 0): unknown {
  const { schema } = resolved(given, document);
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  const [first] = schema.anyOf ?? schema.oneOf ?? [];
  if (first) return exampleOf(first, document, depth);
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((each) => exampleOf(each, document, depth)));
  const [type = 'any'] = [schema.type].flat();
  switch (type) {
    case 'object': {
      if (depth >= MAX_DEPTH) return {};
      const { properties = {}, required = [] } = schema;
      const names = required.length > 0 ? required : Object.keys(properties);
      return Object.fromEntries(names.map((name) => [name, exampleOf(properties[name] ?? {}, document, depth + 1)]));
    }
    case 'array':
      return depth >= MAX_DEPTH || !schema.items ? [] : [exampleOf(schema.items, document, depth + 1)];
    case 'integer':
    case 'number':
      return schema.minimum ?? 0;
    case 'boolean':
      return false;
    default:
      return type === 'null' ? null : 'string';
  }
}

/** What is sent for an operation. */
export interface TriedRequest {
  /** The values of parameters by name; '' leaves one out. */
  readonly values: Readonly<Record<string, string>>;
  readonly body: string;
  /** The body where it is bytes; undefined before one is chosen. */
  readonly file?: File | undefined;
}

/** Returns the media type of the body that an operation is tried with: JSON where it is accepted. */
export function typeOfBody({ requestBody }: Operation): string | undefined {
  const types = Object.keys(requestBody?.content ?? {});
  return types.find((type) => type === 'application/json') ?? types[0];
}

/** Returns whether a body of a media type is sent from a file: all that cannot be typed. */
export const isFile = (type: string): boolean => !/json|^text\/|urlencoded/.test(type);

/** Returns the body to begin with: an example of JSON, or nothing. */
export function bodyOf(operation: Operation, document: ApiDocument): string {
  const type = typeOfBody(operation);
  const schema = type === undefined ? undefined : operation.requestBody?.content[type]?.schema;
  return schema ? JSON.stringify(exampleOf(schema, document), null, 2) : '';
}

/** Returns the path and query of a request; a parameter of the path that has no value stays in braces. */
export function pathOf({ path, parameters }: Operation, { values }: Pick<TriedRequest, 'values'>): string {
  const filled = path.replace(/\{(\w+)\}/g, (whole, name: string) =>
    values[name] ? encodeURIComponent(values[name]) : whole,
  );
  const given = parameters.flatMap(({ name, in: where }) =>
    where === 'query' && values[name] ? [[name, values[name]]] : [],
  );
  const query = new URLSearchParams(given).toString();
  return filled + (query && `?${query}`);
}

/** Returns a request as a command of curl, which takes the token from the environment. */
export function curlOf(operation: Operation, request: TriedRequest, hubUrl: string): string {
  const type = typeOfBody(operation);
  const isPublic = operation.security?.length === 0;
  return [
    `curl -X ${operation.method} ${quoted(hubUrl + pathOf(operation, request))}`,
    ...(isPublic ? [] : ['-H "Authorization: Bearer $HF_TOKEN"']),
    ...(type === undefined ? [] : dataOf(type, request)),
  ].join(' \\\n  ');
}

function dataOf(type: string, { body, file }: TriedRequest): readonly string[] {
  const header = `-H ${quoted(`Content-Type: ${type}`)}`;
  if (isFile(type)) return [header, `--data-binary ${quoted(`@${file?.name ?? 'FILE'}`)}`];
  return body === '' ? [] : [header, `--data-raw ${quoted(body)}`];
}
