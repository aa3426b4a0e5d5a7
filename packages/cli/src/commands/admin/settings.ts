import { type HubSetting, listHubSettings } from '@moonbase/client/admin';
import { command } from '../../program/command.ts';
import { styleOf } from '../../terminal/style.ts';
import { tableText } from '../../terminal/table.ts';

const valueText = ({ isSecret, isSet, value }: HubSetting): string | null =>
  isSecret ? `(${isSet ? 'set' : 'not set'})` : value;

export const settings = command({
  name: 'settings',
  summary: 'show the settings of the hub with the values in force; of secrets, whether they are set',
  run: ({ hub }) => listHubSettings(hub),
  say: (answer, { terminal }) =>
    tableText(
      answer,
      {
        name: ({ name }) => name,
        value: valueText,
        'set by': ({ isSet }) => (isSet ? 'environment' : ''),
        default: (each) => each.default,
        about: ({ about }) => about,
      },
      styleOf(terminal),
    ),
});
