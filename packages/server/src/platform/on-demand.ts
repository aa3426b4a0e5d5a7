import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Returns a library that few hubs use, loaded at its first use, so that no start waits for it. */
export const onDemand = <T>(library: 'nodemailer' | 'pg' | 'yaml'): T => require(library);
