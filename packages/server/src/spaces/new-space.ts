import { MAX_SPACE_ENTRIES } from '@moonbase/contract/repositories/space-settings';
import type { Clock } from '../platform/clock.ts';
import type { Executor } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { badRequest } from '../platform/http/errors.ts';
import type { Ids } from '../platform/ids.ts';
import type { SecretBox } from '../platform/secrets.ts';
import { keysOf } from '../platform/typed-objects.ts';
import type { NewSpace, RepoName, Repository, SpaceSetup } from '../repositories/index.ts';
import type { SpaceRecords } from './change.ts';
import { valueColumns } from './environment.ts';
import { cannotRun } from './runtime.ts';
import { type EntryKind, insertEntries, listEntries } from './store.ts';
import type { EnvironmentRow } from './tables.ts';
import { recordedVolumes, requireVolumes, type SpaceVolumes } from './volumes.ts';

interface Dependencies {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly secretBox: SecretBox;
  readonly records: SpaceRecords;
  readonly volumes: Pick<SpaceVolumes, 'insert'>;
}

/** The fields of a request that need something that runs, with what the refusal says of them. */
const RUNNING = {
  hardware: 'it has no hardware to offer; leave out `hardware`',
  storageTier: 'it has no persistent storage to offer; leave out `storageTier`',
  sleepTimeSeconds: 'a Space cannot sleep; leave out `sleepTimeSeconds`',
} as const;

/** Whether a request gives a field; an empty list is as good as none. */
const isGiven = (value: unknown): boolean => value !== undefined && !(Array.isArray(value) && value.length === 0);

/** Throws 400 for a key that is given twice. */
function requireUniqueKeys({ variables = [], secrets = [] }: NewSpace): void {
  const seen = new Set<string>();
  for (const { key } of [...variables, ...secrets]) {
    if (seen.has(key)) throw badRequest(`body: ${key} is given twice among \`variables\` and \`secrets\``);
    seen.add(key);
  }
}

/** Creates what `repositories` does for new Spaces beyond their row. */
export function createSpaceSetup({ clock, ids, secretBox, records, volumes }: Dependencies): SpaceSetup {
  /** Stores variables or secrets; returns their keys. */
  async function put(tx: Executor, spaceId: string, kind: EntryKind, given: NonNullable<NewSpace['variables']>) {
    const rows: EnvironmentRow[] = given.map(({ key, value, description }) => {
      const id = ids();
      return {
        ...{ id, space_id: spaceId, key, description: description || null, updated_at: clock.now() },
        ...valueColumns(secretBox, kind, id, value),
      };
    });
    await insertEntries(tx, rows);
    return rows.map(({ key }) => key);
  }

  /** Returns the variables of the copied Space, unless the request sets the key, and those of the request. */
  async function variablesOf(tx: Executor, { variables = [], secrets = [], copyOf }: NewSpace) {
    if (copyOf === undefined) return variables;
    const given = new Set([...variables, ...secrets].map(({ key }) => key));
    const copied = (await listEntries(tx, copyOf, 'variable')).flatMap(({ key, value, description }) =>
      value === null || given.has(key) ? [] : [{ key, value, ...(description !== null && { description }) }],
    );
    if (copied.length + variables.length > MAX_SPACE_ENTRIES)
      throw badRequest(`body.variables: with those of the copied Space, more than ${MAX_SPACE_ENTRIES}`);
    return [...copied, ...variables];
  }

  return {
    requireValid(type: RepoName['type'], given: NewSpace): void {
      const [field] = keysOf(given).filter((name) => name !== 'copyOf' && isGiven(given[name]));
      if (type !== 'space' && field !== undefined) throw badRequest(`body.${field}: is for Spaces only`);
      for (const name of keysOf(RUNNING)) if (isGiven(given[name])) throw cannotRun(RUNNING[name]);
      if (given.template !== undefined)
        throw badRequest('body.template: this hub has no templates of Spaces; duplicate a Space instead');
      requireUniqueKeys(given);
      requireVolumes(given.volumes ?? []);
    },

    async insert(tx: Executor, caller: Caller, space: Repository, given: NewSpace): Promise<void> {
      const variables = await put(tx, space.id, 'variable', await variablesOf(tx, given));
      const secrets = await put(tx, space.id, 'secret', given.secrets ?? []);
      if (given.volumes && given.volumes.length > 0) await volumes.insert(tx, caller, space, given.volumes);
      const added = { variables, secrets };
      for (const kind of keysOf(added))
        if (added[kind].length > 0)
          await records.audited(tx, caller, space, {
            ...{ type: `repo.add_${kind}`, done: `Added ${kind} to`, data: { keys: added[kind] } },
          });
      if (given.volumes && given.volumes.length > 0)
        await records.audited(tx, caller, space, {
          ...{ type: 'spaces.set_volumes', done: 'Set the volumes of' },
          data: { volumes: recordedVolumes(given.volumes) },
        });
    },
  };
}
