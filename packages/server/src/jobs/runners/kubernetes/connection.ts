import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import * as z from 'zod';
import { codeOf } from '../../../platform/error-text.ts';
import { onDemand } from '../../../platform/on-demand.ts';
import { parseUrl } from '../../../platform/outbound/target-url.ts';

/** The parameters of a connection to the API of a cluster. */
export interface Connection {
  /** `https://host:port/prefix`, without a trailing slash. */
  readonly server: string;
  /** The namespace that the kubeconfig or the service account names. */
  readonly namespace: string | undefined;
  readonly tls: {
    readonly ca?: string | undefined;
    readonly cert?: string | undefined;
    readonly key?: string | undefined;
    readonly servername?: string | undefined;
    readonly rejectUnauthorized?: boolean;
  };
  /** Reads the token for each request, because the cluster renews a token file. */
  token(): Promise<string | undefined>;
}

/** The folder in which Kubernetes mounts the service account of a pod. */
const MOUNTED = '/var/run/secrets/kubernetes.io/serviceaccount';
/** The host of the API inside every cluster, which the API's certificate contains. */
const IN_CLUSTER = 'https://kubernetes.default.svc';

const fault = (message: string) => new Error(`The settings are wrong:\n  MOONBASE_KUBERNETES: ${message}`);

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw fault(`${path} cannot be read: ${codeOf(error) ?? 'unknown'}`);
  }
}

/** Returns the connection from a pod of the cluster, using its service account. */
export function inCluster(folder: string = MOUNTED): Connection {
  const token = resolve(folder, 'token');
  textOf(token);
  return {
    server: IN_CLUSTER,
    namespace: textOf(resolve(folder, 'namespace')).trim(),
    tls: { ca: textOf(resolve(folder, 'ca.crt')) },
    token: async () => (await readFile(token, 'utf8')).trim(),
  };
}

const NamedEntries = z.array(z.looseObject({ name: z.string() })).default([]);

const unsupported = (error: string) => z.undefined({ error }).optional();
const NO_OTHER_USER = 'is not supported: use a token, a tokenFile or a client certificate';

const Cluster = z.object({
  server: z.string(),
  'certificate-authority': z.string().optional(),
  'certificate-authority-data': z.base64().optional(),
  'tls-server-name': z.string().optional(),
  'insecure-skip-tls-verify': z.boolean().optional(),
  'proxy-url': unsupported('is not supported'),
});
const User = z.object({
  token: z.string().optional(),
  tokenFile: z.string().optional(),
  'client-certificate': z.string().optional(),
  'client-certificate-data': z.base64().optional(),
  'client-key': z.string().optional(),
  'client-key-data': z.base64().optional(),
  exec: unsupported(NO_OTHER_USER),
  'auth-provider': unsupported(NO_OTHER_USER),
  username: unsupported(NO_OTHER_USER),
});
const Context = z.object({ cluster: z.string(), user: z.string(), namespace: z.string().optional() });
const Kubeconfig = z.object({
  'current-context': z.string().optional(),
  contexts: NamedEntries,
  clusters: NamedEntries,
  users: NamedEntries,
});

/** Returns the connection of a kubeconfig file, for a named context or the current one. */
export function fromKubeconfig(path: string, context?: string): Connection {
  const config = checked(Kubeconfig, yamlOf(path), path);
  const findEntry = <T extends z.ZodType>(
    kind: 'context' | 'cluster' | 'user',
    schema: T,
    name: string | undefined,
  ) => {
    const entry = config[`${kind}s`].find((one) => one.name === name);
    if (!entry) throw fault(`${path} has no ${kind} ${name ?? 'that is the current one'}`);
    return checked(schema, entry[kind], `${path}: ${kind}`);
  };
  const chosen = findEntry('context', Context, context ?? config['current-context']);
  const cluster = findEntry('cluster', Cluster, chosen.cluster);
  const user = findEntry('user', User, chosen.user);
  const { protocol } = parseUrl(cluster.server) ?? {};
  if (protocol !== 'https:' && protocol !== 'http:') throw fault(`${path}: cluster.server must be an https URL`);
  const fileAt = (file: string) => resolve(dirname(path), file);
  const pem = (file: string | undefined, data: string | undefined): string | undefined =>
    data !== undefined ? Buffer.from(data, 'base64').toString() : file === undefined ? undefined : textOf(fileAt(file));
  const { token, tokenFile } = user;
  return {
    server: cluster.server.replace(/\/+$/, ''),
    namespace: chosen.namespace,
    tls: {
      ca: pem(cluster['certificate-authority'], cluster['certificate-authority-data']),
      cert: pem(user['client-certificate'], user['client-certificate-data']),
      key: pem(user['client-key'], user['client-key-data']),
      servername: cluster['tls-server-name'],
      rejectUnauthorized: !cluster['insecure-skip-tls-verify'],
    },
    token: async () => token ?? (tokenFile && (await readFile(fileAt(tokenFile), 'utf8')).trim()),
  };
}

function yamlOf(path: string): unknown {
  const { parse, YAMLParseError } = onDemand('yaml');
  try {
    return parse(textOf(path));
  } catch (error) {
    // The parser's message quotes the file, which contains secrets.
    if (error instanceof YAMLParseError) throw fault(`${path} is no YAML`);
    throw error;
  }
}

function checked<T extends z.ZodType>(schema: T, value: unknown, where: string): z.output<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw fault(result.error.issues.map(({ path, message }) => `${[where, ...path].join('.')}: ${message}`).join('\n  '));
}
