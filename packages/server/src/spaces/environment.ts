import { MAX_SPACE_ENTRIES } from '@moonbase/contract/repositories/space-settings';
import type { Clock } from '../platform/clock.ts';
import type { Database, Executor } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { conflict } from '../platform/http/errors.ts';
import type { Ids } from '../platform/ids.ts';
import type { SecretBox } from '../platform/secrets.ts';
import {
  createChangeRunner,
  type Repository,
  readRepo,
  readRepoFiles,
  type SpaceEntry,
} from '../repositories/index.ts';
import type { SpaceRecords } from './change.ts';
import { presentSecrets, presentVariables } from './present.ts';
import {
  countEntries,
  deleteEntry,
  type EntryKind,
  findEntry,
  insertEntries,
  listEntries,
  updateEntry,
} from './store.ts';
import type { EnvironmentRow } from './tables.ts';

export interface SpaceName {
  readonly namespace: string;
  readonly name: string;
}

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly secretBox: SecretBox;
  readonly records: SpaceRecords;
}

/** Returns the columns of a value: sealed for a secret, which nothing but the rotation of the key opens again. */
export const valueColumns = (box: SecretBox, kind: EntryKind, id: string, value: string) =>
  kind === 'variable'
    ? { value, sealed_value: null }
    : { value: null, sealed_value: box.seal(value, { table: 'space_environment', column: 'sealed_value', id }) };

/** The verbs on the variables and secrets of Spaces. */
export function createEnvironment({ database, clock, ids, secretBox, records }: Dependencies) {
  const { read } = database;
  const runChange = createChangeRunner(database);
  const inSpace = <T>(caller: Caller, name: SpaceName, change: (tx: Executor, repo: Repository) => Promise<T>) =>
    runChange(caller, { ...name, type: 'space' }, change);

  async function requireRoom(tx: Executor, spaceId: string, kind: EntryKind): Promise<void> {
    if ((await countEntries(tx, spaceId, kind)) >= MAX_SPACE_ENTRIES)
      throw conflict(`The Space has ${MAX_SPACE_ENTRIES} ${kind}s, which is the limit; delete one first`);
  }

  /** Stores a value under a key; returns the change. Throws 409 if the key is of the other kind, or the Space is full. */
  async function put(tx: Executor, caller: Caller, repo: Repository, kind: EntryKind, given: SpaceEntry) {
    const { key, value } = given;
    const before = await findEntry(tx, repo.id, key);
    const kindBefore: EntryKind | undefined = before && (before.value === null ? 'secret' : 'variable');
    if (kindBefore !== undefined && kindBefore !== kind)
      throw conflict(`${key} is a ${kindBefore} of this Space; delete it first`);
    const description = (given.description ?? before?.description) || null;
    if (before && kind === 'variable' && before.value === value && before.description === description)
      return 'unchanged';
    if (!before) await requireRoom(tx, repo.id, kind);
    const id = before?.id ?? ids();
    const row: EnvironmentRow = {
      ...{ id, space_id: repo.id, key, description, updated_at: clock.now() },
      ...valueColumns(secretBox, kind, id, value),
    };
    if (before) await updateEntry(tx, id, row);
    else await insertEntries(tx, [row]);
    await records.changed(tx, caller, repo, {
      type: before ? `repo.update_${kind}` : `repo.add_${kind}`,
      done: `${before ? 'Changed' : 'Added'} the ${kind} ${key} of`,
      data: { key },
    });
    return before ? 'updated' : 'created';
  }

  /** Deletes an entry; returns whether there was one of the kind. */
  async function drop(tx: Executor, caller: Caller, repo: Repository, kind: EntryKind, key: string) {
    if (!(await deleteEntry(tx, repo.id, kind, key))) return false;
    await records.changed(tx, caller, repo, {
      type: `repo.remove_${kind}`,
      done: `Removed the ${kind} ${key} of`,
      data: { key },
    });
    return true;
  }

  /**
   * Stores a secret unless the Space has one of the key: values that are there are not compared. Returns undefined if there
   * is neither a secret nor a value.
   */
  async function putNewSecret(
    tx: Executor,
    caller: Caller,
    repo: Repository,
    { value, ...given }: Omit<SpaceEntry, 'value'> & { readonly value?: string | undefined },
  ) {
    const before = await findEntry(tx, repo.id, given.key);
    if (before?.value === null) return 'unchanged';
    return value === undefined ? undefined : put(tx, caller, repo, 'secret', { ...given, value });
  }

  /** Creates the verbs that set and delete entries of a kind; each returns all entries of the kind, presented. */
  const changesOf = <T>(kind: EntryKind, present: (entries: Awaited<ReturnType<typeof listEntries>>) => T) => ({
    set: (caller: Caller, name: SpaceName, given: SpaceEntry): Promise<T> =>
      inSpace(caller, name, async (tx, repo) => {
        await put(tx, caller, repo, kind, given);
        return present(await listEntries(tx, repo.id, kind));
      }),
    delete: (caller: Caller, name: SpaceName, key: string): Promise<T> =>
      inSpace(caller, name, async (tx, repo) => {
        await drop(tx, caller, repo, kind, key);
        return present(await listEntries(tx, repo.id, kind));
      }),
  });
  const [ofVariables, ofSecrets] = [changesOf('variable', presentVariables), changesOf('secret', presentSecrets)];

  return {
    /** Returns the variables of a Space with their values, which whoever copies the Space gets as well. */
    async variables(caller: Caller, name: SpaceName) {
      const repo = await readRepoFiles(read, caller, { ...name, type: 'space' });
      return presentVariables(await listEntries(read, repo.id, 'variable'));
    },

    /** Returns the secrets of a Space without values, to those who may write to it. */
    async secrets(caller: Caller, name: SpaceName) {
      const repo = await readRepo(read, caller, { ...name, type: 'space' }, 'repo.write');
      return presentSecrets(await listEntries(read, repo.id, 'secret'));
    },

    /** For transactions that have locked the Space and checked access. */
    ...{ put, drop, putNewSecret },

    ...{ setVariable: ofVariables.set, deleteVariable: ofVariables.delete },
    ...{ setSecret: ofSecrets.set, deleteSecret: ofSecrets.delete },
  };
}
