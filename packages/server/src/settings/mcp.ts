import {
  DEFAULT_TOOLS,
  type McpSettings as McpAnswer,
  type SpaceToolInput,
} from '@moonbase/contract/accounts/settings';
import { lockAccount } from '../accounts/index.ts';
import type { Database, Executor, ReadExecutor } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { notFound } from '../platform/http/errors.ts';
import { fullName, listReadable, resolveNames, subdomainOf } from '../repositories/index.ts';
import { findTools, type StoredSpace, type StoredTools, saveTools } from './store.ts';

/** The emoji of a Space whose card names none. */
const EMOJI = '🚀';

const DEFAULTS: StoredTools = { builtInTools: DEFAULT_TOOLS, spaceTools: [] };

export type McpSettings = ReturnType<typeof createMcpSettings>;

interface Change {
  readonly builtInTools?: readonly string[] | undefined;
  readonly spaceTools?: readonly SpaceToolInput[] | undefined;
}

export function createMcpSettings({ database }: { readonly database: Database }) {
  return {
    async get(caller: Caller) {
      const { read } = database;
      return present(read, caller, (await findTools(read, caller.principal.userId)) ?? DEFAULTS);
    },

    /** Replaces each list that is given. */
    update: (caller: Caller, { builtInTools, spaceTools }: Change) =>
      database.transaction(async (tx) => {
        const { userId } = caller.principal;
        await lockAccount(tx, userId);
        const before = (await findTools(tx, userId)) ?? DEFAULTS;
        const tools = {
          builtInTools: builtInTools ? [...new Set(builtInTools)] : before.builtInTools,
          spaceTools: spaceTools ? await spacesOf(tx, caller, spaceTools) : before.spaceTools,
        };
        await saveTools(tx, userId, tools);
        return present(tx, caller, tools);
      }),
  };
}

/** Returns the named Spaces without duplicates; throws 404 for one that the caller may not see. */
async function spacesOf(tx: Executor, caller: Caller, given: readonly SpaceToolInput[]): Promise<StoredSpace[]> {
  const named = await resolveNames(
    tx,
    given.map(({ name = '' }) => ({ type: 'space', name })),
  );
  const ids = given.map(({ _id }, at) => _id?.toLowerCase() ?? named[at]);
  const visible = await visibleSpaces(
    tx,
    caller,
    ids.flatMap((id) => id ?? []),
  );
  const spaces = new Map<string, StoredSpace>();
  for (const [at, { emoji = EMOJI }] of given.entries()) {
    const id = ids[at];
    if (id === undefined || !visible.has(id))
      throw notFound(`There is no Space that you may see behind body.spaceTools.${at}; nothing changed`);
    spaces.set(id, { id, emoji });
  }
  return [...spaces.values()];
}

async function visibleSpaces(executor: ReadExecutor, caller: Caller, ids: readonly string[]) {
  const repos = ids.length === 0 ? [] : await listReadable(executor, ids, caller.principal);
  return new Map(repos.filter(({ type }) => type === 'space').map((repo) => [repo.id, repo]));
}

async function present(executor: ReadExecutor, caller: Caller, tools: StoredTools): Promise<McpAnswer> {
  const visible = await visibleSpaces(
    executor,
    caller,
    tools.spaceTools.map(({ id }) => id),
  );
  return {
    builtInTools: [...tools.builtInTools],
    spaceTools: tools.spaceTools.flatMap(({ id, emoji }) => {
      const space = visible.get(id);
      return space ? { _id: id, name: fullName(space), emoji, subdomain: subdomainOf(fullName(space)) } : [];
    }),
  };
}
