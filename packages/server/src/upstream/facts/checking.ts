import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/transaction.ts';
import type { Ids } from '../../platform/ids.ts';
import { RemoteFault } from '../../platform/outbound/remote/fault.ts';
import { toJson } from '../../platform/stored-form.ts';
import { repoUrls } from '../../repositories/index.ts';
import type { UpstreamClient } from '../remote/client.ts';
import type { UpstreamRepoRow, UpstreamState, UpstreamType } from '../tables.ts';
import type { Capacity } from './capacity.ts';
import {
  findUpstreamRepo,
  markGone,
  putAnswer,
  putRevision,
  putUpstreamRepo,
  retireNamesake,
  touchCommit,
} from './facts-store.ts';
import { factsIn, infoOf, type UpstreamInfo } from './info.ts';

/** A name at the upstream. */
export interface UpstreamName {
  readonly type: UpstreamType;
  /** namespace/name */
  readonly name: string;
}

export interface FactParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly client: UpstreamClient;
  readonly capacity: Capacity;
}

/** The question whose answer is the info without options. */
export const INFO = 'info';

export const apiPath = ({ type, name }: UpstreamName, rest = ''): string => repoUrls('', type, name).api + rest;

interface Dependencies extends FactParts {
  /** Whether files of gated repositories are read with the token of this hub, where it may. */
  readonly readsGated: boolean;
}

/** Creates the function that asks about a repository and records what the upstream says. */
export function createChecking({ database, clock, ids, client, capacity, readsGated }: Dependencies) {
  /** Returns who may read what of a repository. What is gated and hidden is for those who have passed both. */
  async function stateOf(name: UpstreamName, { isHidden, isGated }: UpstreamInfo): Promise<UpstreamState> {
    if (!isGated) return isHidden ? 'closed' : 'open';
    const isGranted = readsGated && (await client.get(apiPath(name, '/auth-check'))).status === 200;
    if (isHidden) return isGranted ? 'closed' : 'gone';
    return isGranted ? 'granted' : 'gated';
  }

  return async ({ type, name }: UpstreamName): Promise<UpstreamRepoRow | 'missing'> => {
    const { status, json } = await client.get(apiPath({ type, name }));
    const nameKey = name.toLowerCase();
    const now = clock.now();
    if (status === 401 || status === 403 || status === 404) {
      if (await findUpstreamRepo(database.read, type, nameKey))
        await database.transaction((tx) => markGone(tx, type, nameKey, now));
      return 'missing';
    }
    const info = status === 200 ? factsIn(json) : undefined;
    if (!info) throw new RemoteFault(`It describes the repository in a form that is not known (status ${status})`);
    const state = await stateOf({ type, name: info.name }, info);
    const { remoteId = null } = info;
    const newId = ids();
    const described = infoOf(json, newId);
    const isKept = described !== undefined && (await capacity.takes(0, toJson(described).length));
    return database.transaction(async (tx) => {
      if (remoteId !== null) await retireNamesake(tx, type, nameKey, remoteId);
      const row = await putUpstreamRepo(tx, {
        ...{ id: newId, type, name_key: nameKey, name: info.name, remote_id: remoteId, state },
        ...{ checked_at: now, used_at: now },
      });
      const at = { repo_id: row.id, commit_id: info.commit };
      await putRevision(tx, { ...at, revision: 'main', checked_at: now });
      await touchCommit(tx, at, now);
      if (isKept) {
        const answer = toJson({ ...described, _id: row.id });
        await putAnswer(tx, { ...at, question: INFO, answer, next: null, fetched_at: now });
      }
      return row;
    });
  };
}
