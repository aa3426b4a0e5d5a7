import { timingSafeEqual } from 'node:crypto';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { sha256 } from '../../platform/secrets.ts';
import { invalidClient, oauthError } from '../errors.ts';
import { type App, appOf, ownApp } from './app.ts';
import { findApp } from './app-store.ts';

/** The credentials of an application, from the body or from `Basic` authorization. */
export interface ClientClaim {
  readonly authorization: string | undefined;
  readonly client_id?: string | undefined;
  readonly client_secret?: string | undefined;
}

/** Returns an application by id: of the hub, or registered by a user. */
export async function findClient(executor: ReadExecutor, clientId: string): Promise<App | undefined> {
  const own = ownApp(clientId);
  if (own) return own;
  const row = await findApp(executor, clientId);
  return row && appOf(row);
}

/**
 * Returns the application that a program claims to be; undefined without a claim. Throws `invalid_client` for an
 * unknown application, and for a confidential one without its secret.
 */
export async function requireClient(executor: ReadExecutor, claim: ClientClaim): Promise<App | undefined> {
  const { id, secret } = claimedBy(claim);
  if (id === undefined) return undefined;
  const app = await findClient(executor, id);
  if (!app) throw invalidClient();
  if (app.secretHash !== null && !hasSecret(app.secretHash, secret)) throw invalidClient();
  return app;
}

/** Like `requireClient`, but throws `invalid_request` without a claim. */
export async function requireNamedClient(executor: ReadExecutor, claim: ClientClaim): Promise<App> {
  const app = await requireClient(executor, claim);
  if (!app) throw oauthError('invalid_request', 'Send the id of the application as `client_id`');
  return app;
}

function claimedBy({ authorization, client_id: id, client_secret: secret }: ClientClaim) {
  const [, value] = /^Basic +(\S+) *$/i.exec(authorization ?? '') ?? [];
  if (value === undefined) return { id, secret };
  const [, basicId, basicSecret] = /^([^:]*):(.*)$/s.exec(Buffer.from(value, 'base64').toString()) ?? [];
  const named = decodeFormField(basicId);
  if (named === undefined || (id !== undefined && id !== named)) throw invalidClient();
  return { id: named, secret: decodeFormField(basicSecret) };
}

/** Decodes a part of `Basic` authorization, which is encoded like a form field (RFC 6749, 2.3.1). */
function decodeFormField(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

const hasSecret = (hash: string, secret: string | undefined): boolean =>
  secret !== undefined && timingSafeEqual(Buffer.from(hash), Buffer.from(sha256(secret)));
