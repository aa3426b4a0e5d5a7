import type { OauthTokens } from '@moonbase/contract/oauth/protocol';
import { ID_TOKEN_TYPE } from '@moonbase/contract/oauth/protocol';
import { decodeJwt, type JWTPayload, jwtVerify } from 'jose';
import { findAccount, findAccountById, lockAccount, updateToken } from '../../accounts/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, ReadExecutor } from '../../platform/database/transaction.ts';
import type { Visitor } from '../../platform/http/authenticate.ts';
import { addressBlock } from '../../platform/limits/address-block.ts';
import { PUBLIC_KEY_ALGORITHMS } from '../../platform/outbound/key-sets.ts';
import { newAccessToken, sha256 } from '../../platform/secrets.ts';
import { parseJson } from '../../platform/stored-form.ts';
import { findRepo } from '../../repositories/index.ts';
import { oauthError } from '../errors.ts';
import type { PublisherRow } from '../tables.ts';
import type { IssuerKeys } from './issuer-keys.ts';
import {
  findPublisher,
  firstPlaceOf,
  insertPublisherToken,
  notePublisherUse,
  publishersFor,
} from './publisher-store.ts';
import { parseResource } from './resource.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly keys: IssuerKeys;
  /** Told why a token was refused, for the operator: the program is told the same sentence each time. */
  readonly onRefused: (details: object) => void;
}

interface Sent {
  readonly subject_token?: string | undefined;
  readonly subject_token_type?: string | undefined;
  readonly resource?: string | undefined;
}

/** Begins the tokens of publishers: personal ones have no second underscore. */
export const PUBLISHER_PREFIX = 'hf_jwt_';

const LASTS_MS = 60 * 60 * 1000;
/** Tokens of providers last as long as a job. */
const MAX_AGE_SECONDS = 24 * 60 * 60;
const CLOCK_TOLERANCE_SECONDS = 60;

const refused = () => oauthError('invalid_grant', 'No trusted publisher of this resource has such a token');

/** Makes the function that exchanges the token of a provider for one of the hub, which lasts an hour (RFC 8693). */
export function createPublisherExchange({ database, clock, keys, onRefused }: Dependencies) {
  /** Returns what a token says that its issuer signed for this hub. Throws where it did not. */
  async function verified(token: string, issuer: string, hubUrl: string): Promise<JWTPayload & { exp: number }> {
    const { payload } = await jwtVerify(token, keys.of(issuer), {
      ...{
        algorithms: PUBLIC_KEY_ALGORITHMS,
        issuer,
        audience: [hubUrl, `${hubUrl}/`],
        requiredClaims: ['exp', 'iat'],
      },
      ...{ currentDate: new Date(clock.now()), clockTolerance: CLOCK_TOLERANCE_SECONDS, maxTokenAge: MAX_AGE_SECONDS },
    });
    const { exp } = payload;
    if (exp === undefined || exp * 1000 > clock.now() + MAX_AGE_SECONDS * 1000) throw new Error('It lasts too long');
    return { ...payload, exp };
  }

  /** Returns the publisher that a token is of, and until when the token lasts. Throws why there is none. */
  async function judge(token: string, resource: string, hubUrl: string) {
    const { iss: issuer } = decodeJwt(token);
    const resourceId = await idOf(database.read, resource);
    if (issuer === undefined || resourceId === undefined) throw new Error('There is no such resource, or no issuer');
    // Nobody makes the hub ask an issuer that no publisher of the resource has.
    const publishers = await publishersFor(database.read, resourceId, issuer);
    if (publishers.length === 0) throw new Error('No publisher of the resource has this issuer');
    const payload = await verified(token, issuer, hubUrl);
    const publisher = publishers.find((each) => says(payload, parseJson(each.claims)));
    if (!publisher) throw new Error('The claims are those of no publisher of the resource');
    return { publisher, until: payload.exp * 1000 };
  }

  /** Stores a new token of a publisher. Throws where the token of the provider was used from elsewhere before. */
  const issue = ({ id, user_id: userId }: PublisherRow, subject: string, until: number, address: string) =>
    database.transaction(async (tx) => {
      await lockAccount(tx, userId);
      const user = await findAccountById(tx, userId);
      const isLive = user?.disabled_at === null && (await findPublisher(tx, userId, id)) !== undefined;
      const subjectHash = sha256(subject);
      const place = addressBlock(address);
      // Several commands of one job exchange the same token; whoever has stolen it comes from somewhere else.
      const first = await firstPlaceOf(tx, subjectHash);
      if (!isLive || (first !== undefined && first !== place)) throw new Error('It was used from another address');
      const now = clock.now();
      const text = PUBLISHER_PREFIX + newAccessToken().slice(3);
      const expiresAt = now + LASTS_MS;
      await insertPublisherToken(tx, {
        ...{ hash: sha256(text), publisher_id: id, subject_hash: subjectHash, address_block: place },
        ...{ created_at: now, expires_at: expiresAt, kept_until: Math.max(expiresAt, until + LASTS_MS) },
      });
      await notePublisherUse(tx, id, now);
      // From its making to here is how long the publisher lives, for organizations that limit that.
      await updateToken(tx, id, { expires_at: expiresAt });
      return text;
    });

  return async ({ hubUrl, address }: Visitor, sent: Sent): Promise<OauthTokens> => {
    const { subject_token: token, subject_token_type: type, resource } = sent;
    if (type !== ID_TOKEN_TYPE) throw oauthError('invalid_request', `subject_token_type must be ${ID_TOKEN_TYPE}`);
    if (token === undefined || resource === undefined)
      throw oauthError('invalid_request', 'Send subject_token and resource with this grant_type');
    try {
      const { publisher, until } = await judge(token, resource, hubUrl);
      return {
        access_token: await issue(publisher, token, until, address),
        issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        token_type: 'bearer',
        expires_in: LASTS_MS / 1000,
        scope: '',
      };
    } catch (error) {
      onRefused({ resource: resource.slice(0, 200), reason: error instanceof Error ? error.message : 'unknown' });
      throw refused();
    }
  };
}

/** Returns the id of what a resource text names, whoever may see it. */
async function idOf(executor: ReadExecutor, text: string): Promise<string | undefined> {
  const named = parseResource(text);
  if (!named) return undefined;
  return (named.kind === 'repo' ? await findRepo(executor, named.repo) : await findAccount(executor, named.name))?.id;
}

/** Whether a token says each of the claims, exactly so. */
const says = (payload: JWTPayload, claims: Readonly<Record<string, string>>): boolean =>
  Object.entries(claims).every(([name, expected]) => {
    const value = Object.hasOwn(payload, name) ? payload[name] : undefined;
    return ['string', 'number', 'boolean'].includes(typeof value) && String(value) === expected;
  });
