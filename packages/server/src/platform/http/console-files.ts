import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Dispatch, Params } from './routing/dispatch.ts';

/** The placeholder in the console's page that each response replaces by its nonce. */
const NONCE = '__CSP_NONCE__';

/** Returns a content security policy that allows no other hosts and no inline scripts; inline styles need the nonce. */
const policy = (nonce?: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${nonce ? ` 'nonce-${nonce}'` : ''}`,
    "img-src 'self' data:",
    "connect-src 'self'",
    ...["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
  ].join('; ');

function protect(reply: FastifyReply, nonce?: string): FastifyReply {
  return reply.headers({
    'content-security-policy': policy(nonce),
    'cross-origin-opener-policy': 'same-origin',
  });
}

const builtConsole = (): string =>
  join(dirname(createRequire(import.meta.url).resolve('@moonbase/console/package.json')), 'dist');

/** A page whose path other clients may use as well; only browsers get the page. */
export interface BrowserPage {
  readonly path: string;
  readonly isPage: (params: Params) => boolean;
}

/** Serves the web console at the paths of its pages. Adds nothing if the console has not been built. */
export async function addConsole(
  app: FastifyInstance,
  dispatch: Dispatch,
  pages: readonly (string | BrowserPage)[],
  root = builtConsole(),
): Promise<void> {
  const index = join(root, 'index.html');
  if (!existsSync(index)) return;
  const page = readFileSync(index, 'utf8');
  await app.register(async (scope) => {
    scope.addHook('onRequest', async (_request, reply) => void protect(reply));
    // The names of the asset files contain a hash of their content, so that they never change.
    const caching = { immutable: true, maxAge: '1y', preCompressed: true, index: false, decorateReply: false } as const;
    await scope.register(fastifyStatic, { root: join(root, 'assets'), prefix: '/assets/', ...caching });
  });
  for (const entry of pages) {
    const { path, isPage } = typeof entry === 'string' ? { path: entry } : entry;
    dispatch.add({
      ...{ method: 'GET', path, body: 'json' },
      handle({ headers }, reply, params) {
        if (isPage && !(isPage(params) && headers.accept?.includes('text/html'))) return reply.callNotFound();
        const nonce = randomBytes(16).toString('base64');
        return protect(reply, nonce)
          .header('cache-control', 'no-cache')
          .type('text/html; charset=utf-8')
          .send(page.replaceAll(NONCE, nonce));
      },
    });
  }
}
