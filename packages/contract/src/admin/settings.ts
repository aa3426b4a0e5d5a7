import * as z from 'zod';
import { defineRoute } from '../route.ts';

/** A setting of the hub, without its value where that is, or may contain, a password, a key or a token. */
export const HubSetting = z
  .object({
    name: z.string().meta({ description: 'The environment variable.' }),
    group: z.string().meta({ description: 'The heading under which docs/configuration.md has it.' }),
    about: z.string().meta({ description: 'What it does, in a sentence; code is between backticks.' }),
    default: z.string().meta({ description: 'What holds where it is not set, in the same form.' }),
    isSet: z.boolean().meta({ description: 'Whether the environment of the hub sets it.' }),
    isSecret: z.boolean().meta({ description: 'Whether the hub keeps its value to itself.' }),
    value: z.string().nullable().meta({ description: 'The value in force; null: there is none, or it is secret.' }),
  })
  .meta({ id: 'HubSetting' });
export type HubSetting = z.infer<typeof HubSetting>;

export const listHubSettings = defineRoute({
  id: 'listHubSettings',
  method: 'GET',
  path: '/api/admin/settings',
  summary: 'List the settings of the hub with the values in force',
  description:
    'In the order of docs/configuration.md, as the responding process read them at its start. Of secrets the list says only ' +
    'whether they are set.',
  tags: ['admin'],
  authority: 'site-admin.read',
  answers: { 200: z.array(HubSetting) },
});
