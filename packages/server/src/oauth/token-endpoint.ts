import {
  DEVICE_GRANT,
  EXCHANGE_GRANT,
  type exchangeForTokens,
  type OauthTokens,
} from '@moonbase/contract/oauth/protocol';
import type { RouteInput } from '@moonbase/contract/route';
import type { Database } from '../platform/database/transaction.ts';
import type { Visitor } from '../platform/http/authenticate.ts';
import { requireClient, requireNamedClient } from './apps/clients.ts';
import type { createExchange } from './authorization/exchange.ts';
import type { createPolling } from './device/poll.ts';
import { oauthError } from './errors.ts';
import type { createPublisherExchange } from './publishers/exchange.ts';
import type { createRefresh } from './tokens/refresh.ts';

interface Dependencies {
  readonly database: Database;
  readonly poll: ReturnType<typeof createPolling>;
  readonly refresh: ReturnType<typeof createRefresh>;
  readonly exchange: ReturnType<typeof createExchange>;
  readonly exchangeForPublisher: ReturnType<typeof createPublisherExchange>;
}

type Sent = RouteInput<typeof exchangeForTokens>['body'] & { readonly authorization: string | undefined };

/** Creates the token endpoint: exchanges codes, refresh tokens and provider tokens, by grant type. */
export const createTokenEndpoint =
  ({ database: { read }, poll, refresh, exchange, exchangeForPublisher }: Dependencies) =>
  async (visitor: Visitor, sent: Sent): Promise<OauthTokens> => {
    const { baseUrl, address } = visitor;
    switch (sent.grant_type) {
      case DEVICE_GRANT:
        return poll(await requireNamedClient(read, sent), needed(sent.device_code, 'device_code'));
      case 'refresh_token':
        return refresh(await requireNamedClient(read, sent), needed(sent.refresh_token, 'refresh_token'), address);
      case 'authorization_code':
        return exchange({
          app: await requireClient(read, sent),
          code: needed(sent.code, 'code'),
          redirectUri: sent.redirect_uri,
          verifier: sent.code_verifier,
          issuer: baseUrl,
        });
      case EXCHANGE_GRANT:
        return exchangeForPublisher(visitor, sent);
      case undefined:
        throw oauthError('invalid_request', '`grant_type` is required');
      default:
        throw oauthError('unsupported_grant_type', 'There is no such grant_type; the discovery document lists them');
    }
  };

function needed(value: string | undefined, name: string): string {
  if (value === undefined) throw oauthError('invalid_request', `Send the field ${name} with this grant_type`);
  return value;
}
