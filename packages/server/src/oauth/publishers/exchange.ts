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
  firstAddressBlockOf,
  insertPublisherToken,
  publishersFor,
  recordPublisherUse,
} from './publisher-store.ts';
import { parseResource } from './resource.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly keys: IssuerKeys;
  /** Called with the reason of a refusal, for the operator; the program always gets the same error. */
  readonly onRefused: (details: object) => void;
}

interface Sent {
  readonly subject_token?: string | undefined;
  readonly subject_token_type?: string | undefined;
  readonly resource?: string | undefined;
}

/** The prefix of publisher tokens; personal tokens contain no second underscore. */
export const PUBLISHER_PREFIX = 'hf_jwt_';

const LIFETIME_MS = 60 * 60 * 1000;
/** The maximum lifetime of a provider's token, which lasts as long as a job. */
const MAX_AGE_SECONDS = 24 * 60 * 60;
const CLOCK_TOLERANCE_SECONDS = 60;

const refused = () => oauthError('invalid_grant', 'No trusted publisher of this resource has such a token');

/** Creates the function that exchanges a provider's token for a token of the hub, which lasts an hour (RFC 8693). */
export function createPublisherExchange({ database, clock, keys, onRefused }: Dependencies) {
  /** Returns the payload of a token that its issuer signed for this hub. Throws if verification fails. */
  async function verify(token: string, issuer: string, hubUrl: string): Promise<JWTPayload & { exp: number }> {
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

  /**
   * Returns the publisher that a token belongs to, and when the token expires. Throws with the reason if there is none.
   */
  async function judge(token: string, resource: string, hubUrl: string) {
    const { iss: issuer } = decodeJwt(token);
    const resourceId = await idOf(database.read, resource);
    if (issuer === undefined || resourceId === undefined) throw new Error('There is no such resource, or no issuer');
    // Only issuers of publishers of the resource are contacted, so that callers cannot make the hub contact others.
    const publishers = await publishersFor(database.read, resourceId, issuer);
    if (publishers.length === 0) throw new Error('No publisher of the resource has this issuer');
    const payload = await verify(token, issuer, hubUrl);
    const publisher = publishers.find((each) => hasClaims(payload, parseJson(each.claims)));
    if (!publisher) throw new Error('The claims match no publisher of the resource');
    return { publisher, until: payload.exp * 1000 };
  }

  /** Stores a new publisher token. Throws if the provider's token was first used from another address. */
  const issue = ({ id, user_id: userId }: PublisherRow, subject: string, until: number, address: string) =>
    database.transaction(async (tx) => {
      await lockAccount(tx, userId);
      const user = await findAccountById(tx, userId);
      const isLive = user?.disabled_at === null && (await findPublisher(tx, userId, id)) !== undefined;
      const subjectHash = sha256(subject);
      const block = addressBlock(address);
      // Several commands of a job exchange the same token from one address; a thief would come from another.
      const first = await firstAddressBlockOf(tx, subjectHash);
      if (!isLive || (first !== undefined && first !== block)) throw new Error('It was used from another address');
      const now = clock.now();
      const text = PUBLISHER_PREFIX + newAccessToken().slice(3);
      const expiresAt = now + LIFETIME_MS;
      await insertPublisherToken(tx, {
        ...{ hash: sha256(text), publisher_id: id, subject_hash: subjectHash, address_block: block },
        ...{ created_at: now, expires_at: expiresAt, kept_until: Math.max(expiresAt, until + LIFETIME_MS) },
      });
      await recordPublisherUse(tx, id, now);
      // Organizations that limit the lifetime of tokens compare it with the time from creation to this expiry.
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
        expires_in: LIFETIME_MS / 1000,
        scope: '',
      };
    } catch (error) {
      onRefused({ resource: resource.slice(0, 200), reason: error instanceof Error ? error.message : 'unknown' });
      throw refused();
    }
  };
}

/** Returns the id of a resource by its text, without checking access. */
async function idOf(executor: ReadExecutor, text: string): Promise<string | undefined> {
  const named = parseResource(text);
  if (!named) return undefined;
  return (named.kind === 'repo' ? await findRepo(executor, named.repo) : await findAccount(executor, named.name))?.id;
}

/** Returns whether a payload has all the claims with exactly these values. */
const hasClaims = (payload: JWTPayload, claims: Readonly<Record<string, string>>): boolean =>
  Object.entries(claims).every(([name, expected]) => {
    const value = Object.hasOwn(payload, name) ? payload[name] : undefined;
    return ['string', 'number', 'boolean'].includes(typeof value) && String(value) === expected;
  });
