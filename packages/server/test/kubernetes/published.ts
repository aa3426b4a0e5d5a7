import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

const DOCUMENT = JSON.parse(readFileSync(new URL('kubernetes-1.37.schema.json', import.meta.url), 'utf8')) as object;
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
ajv.addSchema(DOCUMENT, 'kubernetes');
const schemaOf = (name: string): ValidateFunction => ajv.getSchema(`kubernetes#/$defs/${name}`)!;

const VALIDATORS = {
  Job: schemaOf('io.k8s.api.batch.v1.Job'),
  Pod: schemaOf('io.k8s.api.core.v1.Pod'),
  Secret: schemaOf('io.k8s.api.core.v1.Secret'),
  DeleteOptions: schemaOf('io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions'),
  Status: schemaOf('io.k8s.apimachinery.pkg.apis.meta.v1.Status'),
};
export type Kind = keyof typeof VALIDATORS;

/** Returns the faults of an object against the published schema. */
export function schemaFaults(kind: Kind, value: unknown): string[] {
  const validate = VALIDATORS[kind];
  return validate(value)
    ? []
    : validate.errors!.map(({ instancePath, message }) => `${kind}${instancePath} ${message}`);
}

type Parameter = 'string' | 'number' | 'boolean';
interface Operation {
  readonly method: string;
  readonly path: RegExp;
  readonly kind: 'jobs' | 'pods' | 'secrets' | 'log';
  readonly query: Readonly<Record<string, Parameter>>;
  readonly body?: Kind;
}

const WRITE = { pretty: 'string', dryRun: 'string', fieldManager: 'string', fieldValidation: 'string' } as const;
const LIST = {
  pretty: 'string',
  allowWatchBookmarks: 'boolean',
  continue: 'string',
  fieldSelector: 'string',
  labelSelector: 'string',
  limit: 'number',
  resourceVersion: 'string',
  resourceVersionMatch: 'string',
  sendInitialEvents: 'boolean',
  shardSelector: 'string',
  timeoutSeconds: 'number',
  watch: 'boolean',
} as const;
const DELETE = {
  pretty: 'string',
  dryRun: 'string',
  gracePeriodSeconds: 'number',
  ignoreStoreReadErrorWithClusterBreakingPotential: 'boolean',
  orphanDependents: 'boolean',
  propagationPolicy: 'string',
} as const;
const LOG = {
  container: 'string',
  follow: 'boolean',
  insecureSkipTLSVerifyBackend: 'boolean',
  limitBytes: 'number',
  pretty: 'string',
  previous: 'boolean',
  sinceSeconds: 'number',
  stream: 'string',
  tailLines: 'number',
  timestamps: 'boolean',
  sinceTime: 'string',
} as const;

const BATCH = '/apis/batch/v1/namespaces/(?<namespace>[^/]+)';
const CORE = '/api/v1/namespaces/(?<namespace>[^/]+)';
const NAME = '(?<name>[^/]+)';
const at = (path: string) => new RegExp(`^${path}$`);

/** The operations that the role of the hub allows. */
const OPERATIONS: readonly Operation[] = [
  { method: 'POST', path: at(`${BATCH}/jobs`), kind: 'jobs', query: WRITE, body: 'Job' },
  { method: 'GET', path: at(`${BATCH}/jobs`), kind: 'jobs', query: LIST },
  { method: 'GET', path: at(`${BATCH}/jobs/${NAME}`), kind: 'jobs', query: { pretty: 'string' } },
  { method: 'PATCH', path: at(`${BATCH}/jobs/${NAME}`), kind: 'jobs', query: { ...WRITE, force: 'boolean' } },
  { method: 'DELETE', path: at(`${BATCH}/jobs/${NAME}`), kind: 'jobs', query: DELETE, body: 'DeleteOptions' },
  { method: 'POST', path: at(`${CORE}/secrets`), kind: 'secrets', query: WRITE, body: 'Secret' },
  { method: 'GET', path: at(`${CORE}/pods`), kind: 'pods', query: LIST },
  { method: 'PATCH', path: at(`${CORE}/pods/${NAME}`), kind: 'pods', query: { ...WRITE, force: 'boolean' } },
  { method: 'GET', path: at(`${CORE}/pods/${NAME}/log`), kind: 'log', query: LOG },
];

const FORMS: Readonly<Record<Parameter, RegExp>> = { string: /^/, number: /^-?\d+$/, boolean: /^(true|false)$/ };

export interface Matched extends Operation {
  readonly namespace: string;
  readonly name: string;
}

/** Returns the operation of a request. */
export function operationOf(method: string, path: string): Matched | undefined {
  for (const operation of OPERATIONS) {
    const groups = operation.method === method ? operation.path.exec(path)?.groups : undefined;
    if (groups) return { ...operation, namespace: groups.namespace!, name: decodeURIComponent(groups.name ?? '') };
  }
  return undefined;
}

/** Returns the faults of a query against the published parameters. */
export const queryFaults = ({ query }: Operation, given: URLSearchParams): string[] =>
  [...given].flatMap(([name, value]) => {
    const form = query[name];
    if (!form) return [`the parameter ${name} is not published`];
    return FORMS[form].test(value) ? [] : [`the parameter ${name} is not a valid ${form}: ${value}`];
  });

const NAME_FORM = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/;
const LABEL_NAME = /^([a-z0-9]([-a-z0-9.]*[a-z0-9])?\/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const LABEL_VALUE = /^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/;

interface NamedObject {
  readonly metadata?: { readonly name?: string; readonly labels?: Readonly<Record<string, string>> };
}

/**
 * Returns the faults that the API server finds beyond the schema, in names and labels, as its reference describes them.
 */
export function nameFaults({ metadata }: NamedObject): string[] {
  const name = metadata?.name ?? '';
  return [
    ...(NAME_FORM.test(name) && name.length <= 63 ? [] : [`metadata.name: ${name}`]),
    ...Object.entries(metadata?.labels ?? {})
      .filter(([label, value]) => !LABEL_NAME.test(label) || !LABEL_VALUE.test(value))
      .map(([label, value]) => `metadata.labels: ${label}=${value}`),
  ];
}
