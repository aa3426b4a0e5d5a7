import { createRequire } from 'node:module';
import type pg from 'pg';

const require = createRequire(import.meta.url);
let loaded: typeof pg | undefined;

/** Returns the driver of PostgreSQL, which is loaded at its first use: a hub with SQLite starts without it. */
export function postgresDriver(): typeof pg {
  loaded ??= require('pg');
  if (!loaded) throw new Error('The driver of PostgreSQL cannot be loaded');
  return loaded;
}
