import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The Python clients that are tried: each is a list of requirements, `python/NAME.txt`. */
export const PYTHON_CLIENTS = ['newest', 'previous'] as const;
export type PythonClient = (typeof PYTHON_CLIENTS)[number];

/** What has a virtual environment of its own: the clients, and testers of SCIM services and of OpenAPI documents, and a server of S3. */
export const PYTHON_ENVIRONMENTS = [...PYTHON_CLIENTS, 'scim', 'openapi', 's3'] as const;
export type PythonEnvironment = (typeof PYTHON_ENVIRONMENTS)[number];

const cache = fileURLToPath(new URL('../../node_modules/.cache/moonbase-compat/', import.meta.url));

export const requirementsOf = (client: PythonEnvironment): string =>
  fileURLToPath(new URL(`python/${client}.txt`, import.meta.url));

/** The virtual environment of a client: another one as soon as its requirements change. */
export function environmentOf(client: PythonEnvironment): string {
  const requirements = readFileSync(requirementsOf(client), 'utf8');
  return join(cache, `${client}-${createHash('sha256').update(requirements).digest('hex').slice(0, 8)}`);
}

/** Written last, when everything is installed. */
export const markOf = (client: PythonEnvironment): string => join(environmentOf(client), 'installed');

export const programOf = (client: PythonEnvironment, name: 'python' | 'hf' | 'schemathesis' | 'moto_server'): string =>
  join(environmentOf(client), 'bin', name);
