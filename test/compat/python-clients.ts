import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The tested Python clients; `python/NAME.txt` lists the requirements of each. */
export const PYTHON_CLIENTS = ['newest', 'previous'] as const;
/** The clients that are tested with files as well: the last ones that ask how to upload, and with `requests`. */
export const FILE_CLIENTS = [...PYTHON_CLIENTS, 'before-xet', 'oldest'] as const;
export type PythonClient = (typeof FILE_CLIENTS)[number];

/** The virtual environments: one for each client, and for the testers of SCIM and OpenAPI and the S3 server. */
export const PYTHON_ENVIRONMENTS = [...FILE_CLIENTS, 'scim', 'openapi', 's3'] as const;
/** `client-tests` is for `client-tests.ts` only. */
export type PythonEnvironment = (typeof PYTHON_ENVIRONMENTS)[number] | 'client-tests';

const cache = fileURLToPath(new URL('../../node_modules/.cache/moonbase-compat/', import.meta.url));

export const requirementsOf = (client: PythonEnvironment): string =>
  fileURLToPath(new URL(`python/${client}.txt`, import.meta.url));

/** Returns the virtual environment of a client, which changes with its requirements. */
export function environmentOf(client: PythonEnvironment): string {
  const requirements = readFileSync(requirementsOf(client), 'utf8');
  return join(cache, `${client}-${createHash('sha256').update(requirements).digest('hex').slice(0, 8)}`);
}

/** Returns the file that is written last, once everything is installed. */
export const markOf = (client: PythonEnvironment): string => join(environmentOf(client), 'installed');

export const programOf = (client: PythonEnvironment, name: 'python' | 'hf' | 'schemathesis' | 'moto_server'): string =>
  join(environmentOf(client), 'bin', name);
