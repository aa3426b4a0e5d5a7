import { isIPv6 } from 'node:net';
import { codeOf } from '../error-text.ts';
import { QueryFailure, queryAddresses } from './dns-query.ts';
import { OutboundFailure } from './failure.ts';
import type { Resolve } from './guarded-connector.ts';
import { namesToAsk, parsedFile, parseHosts, parseSearchRules } from './resolver-files.ts';
import { type AskSystem, createSystemLookup } from './system-lookup.ts';

/** The time limit of a look-up. */
const LIMIT_MS = 8_000;
const LOOPBACK = ['127.0.0.1', '::1'];
/** The error if no name server can be reached; the operating system may know another way. */
const NO_SERVER = 'ECONNREFUSED';

const REASONS = new Map([
  ['ETIMEOUT', 'the name servers do not answer'],
  ['ECANCELLED', 'the name servers do not answer'],
  ['ESERVFAIL', 'the name servers failed, SERVFAIL'],
  ['EREFUSED', 'the name servers refused, REFUSED'],
  ['EBADRESP', 'the name servers answered nonsense'],
  ['EAI_AGAIN', 'the name servers do not answer'],
]);

/**
 * Creates the DNS look-up of outbound requests. It consults the hosts file, then the name servers, and for unknown
 * names the operating system, which may know other sources (mDNS, a VPN) but occupies a thread. Concurrent look-ups of
 * a name are shared; nothing is cached. The options are for tests.
 */
export function createNameLookup(
  options: {
    servers?: readonly string[];
    hostsFile?: string;
    resolvConf?: string;
    askSystem?: AskSystem;
    limitMs?: number;
  } = {},
): Resolve {
  const { servers, limitMs = LIMIT_MS } = options;
  const hosts = parsedFile(options.hostsFile ?? '/etc/hosts', parseHosts);
  const searchRules = parsedFile(options.resolvConf ?? '/etc/resolv.conf', parseSearchRules);
  const bySystem = createSystemLookup(options.askSystem);
  const pending = new Map<string, ReturnType<Resolve>>();

  async function addressesOf(host: string, signal: AbortSignal): Promise<readonly string[]> {
    const name = host.replace(/\.$/, '');
    const listed = (await hosts()).get(name);
    if (listed !== undefined) return listed;
    if (/^(.+\.)?localhost$/.test(name)) return LOOPBACK; // RFC 6761 §6.3
    const queried = await queryAddresses(namesToAsk(host, await searchRules()), signal, servers).catch((error) => {
      if (error instanceof QueryFailure && error.code === NO_SERVER) return [];
      throw error;
    });
    return queried.length > 0 ? queried : bySystem(host, signal);
  }

  async function lookUp(host: string): ReturnType<Resolve> {
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(new QueryFailure('ETIMEOUT')), limitMs);
    try {
      const addresses = await addressesOf(host, limit.signal);
      return addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
    } catch (error) {
      throw describe(error, host);
    } finally {
      clearTimeout(timer);
    }
  }

  return (givenHost) => {
    const host = givenHost.toLowerCase();
    const known = pending.get(host);
    if (known !== undefined) return known;
    const found = lookUp(host).finally(() => pending.delete(host));
    pending.set(host, found);
    return found;
  };
}

function describe(error: unknown, host: string): unknown {
  const reason = REASONS.get(codeOf(error) ?? '');
  return reason === undefined ? error : new OutboundFailure(`The name could not be looked up: ${host} (${reason})`);
}
