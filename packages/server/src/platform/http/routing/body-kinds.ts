import { Readable } from 'node:stream';
import type { RouteDeclaration } from '@moonbase/contract/route';
import type { FastifyInstance } from 'fastify';
import { badRequest } from '../errors.ts';
import { beforeTheRest, isUnread } from '../streamed-body.ts';

/**
 * How a route reads its body: as JSON, as bytes or a stream of any type, or as JSON or a form whose fields are read
 * (`repeated-fields`: into lists where they are repeated) or ignored.
 */
export type BodyKind = 'json' | 'bytes' | 'stream' | 'fields' | 'repeated-fields' | 'ignored-form';

export function bodyKindOf({ rawBody, forms }: RouteDeclaration, ignoresForms: boolean): BodyKind {
  if (rawBody) return rawBody.stream ? 'stream' : 'bytes';
  if (forms) return forms === 'repeated' ? 'repeated-fields' : 'fields';
  return ignoresForms ? 'ignored-form' : 'json';
}

/** Makes the routes of a scope read bodies of one kind; without this, they read JSON. */
export function acceptBodies(scope: FastifyInstance, kind: Exclude<BodyKind, 'json'>): void {
  if (kind === 'bytes') acceptBytes(scope);
  else if (kind === 'stream') acceptStreams(scope);
  else if (kind === 'ignored-form') ignoreForms(scope);
  else acceptFields(scope, kind === 'repeated-fields');
}

function acceptBytes(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
}

function acceptStreams(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, body, done) => done(null, body));
  scope.addHook('onSend', async (request, reply, payload) => {
    if (!isUnread(request.raw) || !(typeof payload === 'string' || payload instanceof Buffer)) return payload;
    reply.headers({ connection: 'close', 'content-length': Buffer.byteLength(payload) });
    return Readable.from(beforeTheRest(payload, request.raw));
  });
}

const FORM = /^(application\/x-www-form-urlencoded|multipart\/form-data)(;|$)/;

function ignoreForms(scope: FastifyInstance): void {
  scope.addContentTypeParser(FORM, { parseAs: 'buffer' }, (_request, _body, done) => done(null, undefined));
}

/** Parses a form into the object that JSON would give; if `repeated` is true, repeated fields become lists. */
function acceptFields(scope: FastifyInstance, repeated: boolean): void {
  scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    const fields = [...new URLSearchParams(body.toString())];
    if (repeated) {
      const values = new Map<string, string[]>();
      for (const [name, value] of fields) {
        const before = values.get(name);
        if (before) before.push(value);
        else values.set(name, [value]);
      }
      return done(null, Object.fromEntries([...values].map(([name, all]) => [name, all.length === 1 ? all[0] : all])));
    }
    const names = new Set(fields.map(([name]) => name));
    if (names.size < fields.length) return done(badRequest('A form field is repeated'), undefined);
    done(null, Object.fromEntries(fields));
  });
}
