import { ErrorBody } from '@moonbase/contract/errors';
import { LfsError } from '@moonbase/contract/large-files/lfs';
import type { RouteDeclaration } from '@moonbase/contract/route';
import { ScimError } from '@moonbase/contract/scim/shapes';
import { contractFetch } from '../contract-fetch.ts';
import type { Body, GeneratedRequest } from './generated-requests.ts';
import { wellFormed } from './texts.ts';
import type { CallerKind, World } from './world.ts';

export interface Exchange {
  readonly status: number;
  /** A summary in the form `POST /api/…: 400 the sentence`. */
  readonly summary: string;
}

/** Sends a generated request and checks the answer against the contract; throws if the hub is at fault. */
export async function exchange(world: World, route: RouteDeclaration, request: GeneratedRequest): Promise<Exchange> {
  const path = pathOf(world, route, request);
  const answer = await contractFetch(world.hub.url + path, {
    method: route.method,
    headers: headersOf(world, route, request),
    redirect: 'manual',
    ...bodyOf(world, request),
  });
  // A stream does not end by itself.
  const isStream = answer.headers.get('content-type') === 'text/event-stream';
  if (isStream) await answer.body?.cancel();
  const text = isStream ? '' : await answer.text();
  const summary = `${route.method} ${shortened(path)}: ${answer.status} ${shortened(text)}`;
  // A route may declare a feature that the hub does not have, which is not an error.
  const isDeclared = answer.status === 501 && route.otherAnswers?.[501] !== undefined;
  if (answer.status >= 500 && !isDeclared) throw new Error(summary);
  if (answer.status >= 400) requireSentence(summary, text, answer);
  else if (answer.status >= 300 && !route.otherAnswers?.[answer.status]) throw new Error(`${summary}: not declared`);
  return { status: answer.status, summary };
}

const LEAK =
  /\bat \S+ \(|node:internal|\.[jt]s:\d+|SQLITE_|constraint failed|\b(select|insert into|update|delete from) "|violates /;

function requireSentence(summary: string, text: string, { status, headers }: Response): void {
  const isText = headers.get('content-type')?.startsWith('text/plain') ?? false;
  const { error, issues = [] }: ErrorBody = isText ? { error: text } : errorIn(summary, text, status);
  if (!/\S \S/.test(error)) throw new Error(`${summary}: the error is not a sentence`);
  if (!headers.get('x-error-message')) throw new Error(`${summary}: no X-Error-Message`);
  if (issues.some(({ path, message }) => path === '' || message === '')) throw new Error(`${summary}: an empty issue`);
  if (LEAK.test(text)) throw new Error(`${summary}: shows what is inside the hub`);
}

/** Returns the error in the form `{error, issues?}`, or in the form of SCIM or git LFS. */
function errorIn(summary: string, text: string, status: number): ErrorBody {
  const body: unknown = JSON.parse(text);
  const lfs = LfsError.safeParse(body);
  if (lfs.success) return { error: lfs.data.message };
  const scim = ScimError.safeParse(body);
  if (!scim.success) return sentenceOf(ErrorBody.parse(body));
  if (scim.data.status !== String(status)) throw new Error(`${summary}: the body has another status`);
  return { error: scim.data.detail };
}

/** OAuth has a code in place of the sentence. */
const sentenceOf = (body: ErrorBody): ErrorBody => ({ ...body, error: body.error_description ?? body.error });

function pathOf(world: World, route: RouteDeclaration, request: GeneratedRequest): string {
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    world.resolve(request.params[name] ?? '', request.params),
  );
  const pairs = request.query.map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(wellFormed(world.resolve(value)))}`,
  );
  const query = [...pairs, request.rawQuery].filter((part) => part !== '').join('&');
  return query === '' ? path : `${path}?${query}`;
}

function headersOf(world: World, route: RouteDeclaration, { body, caller }: GeneratedRequest): Record<string, string> {
  return {
    ...world.callerHeaders(caller ?? usualCaller(route)),
    ...(body.kind !== 'none' && { 'content-type': typeOf(body) }),
  };
}

function usualCaller({ id, authority }: RouteDeclaration): CallerKind {
  if (/^set(Password|Email)$|DeviceLogin$|^(decide|get)Authorization$/.test(id)) return 'browser';
  if (
    /^(begin|confirm|disable)SecondFactor$|^renewRecoveryCodes$|^createTrustedPublisher$|^signInSecondStep$|^setUpSecondFactor$/.test(
      id,
    )
  )
    return 'browser';
  if (id === 'getUserInfo') return 'application';
  // alice, the only admin of an organization, cannot delete users.
  return authority.startsWith('site-admin') || id === 'deleteUser' ? 'admin' : 'alice';
}

function typeOf(body: Exclude<Body, { kind: 'none' }>): string {
  if (body.kind === 'bytes') return 'image/png';
  return body.kind === 'text' ? body.type : 'application/json';
}

function bodyOf(world: World, { body }: GeneratedRequest): { body?: string | Uint8Array<ArrayBuffer> } {
  if (body.kind === 'none') return {};
  if (body.kind === 'bytes') return { body: body.bytes };
  if (body.kind === 'text') return { body: body.text };
  return {
    body: JSON.stringify(body.value, (_name, value: unknown) =>
      typeof value === 'string' ? world.resolve(value) : value,
    ),
  };
}

const shortened = (text: string): string => (text.length > 500 ? `${text.slice(0, 500)}…` : text);
