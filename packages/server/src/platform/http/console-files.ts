import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** Paths of the console's pages; what it cannot show, such as a thread that is not there, it says itself. */
const PAGES = [
  '/',
  ...['inbox', 'webhooks', 'jobs', 'organizations', 'settings', 'papers', 'posts', 'blog'].flatMap((name) => [
    `/${name}`,
    `/${name}/*`,
  ]),
  // No more below it: a user is called admin by default, whose repositories have addresses there.
  ...['/admin', '/admin/users', '/admin/organizations', '/admin/dead-letters'],
  // Where notifications, mails and payloads say that a discussion is.
  ...['', '/datasets', '/spaces', '/kernels'].map((type) => `${type}/:namespace/:repo/discussions/:num`),
];

/** What the page of the console has in the place of the nonce of an answer. */
const NONCE = '__CSP_NONCE__';

/** Nothing from other hosts, no inline script; inline styles are those of the console itself, by their nonce. */
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

const built = (): string =>
  join(dirname(createRequire(import.meta.url).resolve('@moonbase/console/package.json')), 'dist');

/** Serves the web console where it is built; without it there is nothing at its paths, and the rest works. */
export async function addConsole(app: FastifyInstance, root = built()): Promise<void> {
  const index = join(root, 'index.html');
  if (!existsSync(index)) return;
  const page = readFileSync(index, 'utf8');
  await app.register(async (scope) => {
    scope.addHook('onRequest', async (_request, reply) => void protect(reply));
    // The names of these files say what is in them.
    const caching = { immutable: true, maxAge: '1y', preCompressed: true, index: false, decorateReply: false } as const;
    await scope.register(fastifyStatic, { root: join(root, 'assets'), prefix: '/assets/', ...caching });
  });
  for (const path of PAGES) {
    app.get(path, (_request, reply) => {
      const nonce = randomBytes(16).toString('base64');
      return protect(reply, nonce)
        .header('cache-control', 'no-cache')
        .type('text/html; charset=utf-8')
        .send(page.replaceAll(NONCE, nonce));
    });
  }
}
