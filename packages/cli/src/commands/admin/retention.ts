import { getRetention } from '@moonbase/client/admin';
import { listing } from '../../program/command.ts';
import { when } from '../parameters.ts';

export const retention = listing({
  name: 'retention',
  summary: 'show how long the hub keeps what, which settings change that, what there is and what was deleted',
  run: ({ hub }) => getRetention(hub),
  columns: {
    kind: ({ kind }) => kind,
    settings: ({ settings }) => settings.map(({ name, value }) => `${name}=${value ?? ''}`).join(' '),
    held: ({ held }) => held,
    oldest: ({ oldestAt }) => when(oldestAt),
    deleted: ({ deleted }) => deleted,
    'last deleted': ({ lastDeletedAt }) => when(lastDeletedAt),
    about: ({ about }) => about,
  },
});
