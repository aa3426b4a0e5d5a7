import { listMirrors, removeMirror } from '@moonbase/client/mirrors';
import { command, group, listing } from '../../program/command.ts';
import { argument, flag } from '../../program/parameter.ts';
import { when } from '../parameters.ts';

const list = listing({
  name: 'list',
  summary: 'list the mirrors of the hub, newest repository first',
  options: { failing: flag('only those whose last sync failed or that are stopped') },
  run: ({ hub, options: { failing } }) => listMirrors({ ...hub, failing }),
  columns: {
    id: ({ id }) => id,
    type: (entry) => entry.repo.type,
    repository: (entry) => entry.repo.name,
    url: ({ url }) => url,
    state: ({ state }) => state,
    'last synced': ({ lastSyncedAt }) => when(lastSyncedAt),
    error: ({ lastError }) => lastError,
  },
});

const remove = command({
  name: 'remove',
  summary: 'let any repository no longer follow its remote; its content stays',
  args: { id: argument('id from the list') },
  run: ({ hub, args }) => removeMirror({ ...hub, ...args }),
  say: () => 'The repository no longer follows another repository.\n',
});

export const mirrors = group('mirrors', 'repositories that follow a git repository elsewhere', [list, remove]);
