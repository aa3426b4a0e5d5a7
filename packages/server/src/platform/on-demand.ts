import { createRequire } from 'node:module';
import type nodemailer from 'nodemailer';
import type pg from 'pg';
import type yaml from 'yaml';

interface Libraries {
  readonly nodemailer: typeof nodemailer;
  readonly pg: typeof pg;
  readonly yaml: typeof yaml;
}

const require = createRequire(import.meta.url);

/** Returns a library that few hubs use, loaded at its first use, so that no start waits for it. */
export const onDemand = <Name extends keyof Libraries>(name: Name): Libraries[Name] => require(name);
