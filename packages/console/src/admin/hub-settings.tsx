import { Code, Stack, Table, Text, Title } from '@mantine/core';
import { type HubSetting, listHubSettings } from '@moonbase/client/admin';
import { useQuery } from '@tanstack/react-query';
import { useHub } from '../session/session.tsx';
import { Prose } from '../ui/code/prose.tsx';
import { DataTable } from '../ui/lists/data-table.tsx';
import { Loaded } from '../ui/states.tsx';
import { Administration } from './administration.tsx';

const COLUMNS = [{ name: 'Setting', width: 290 }, { name: 'Value', width: 200 }, 'What it does'];

/** The settings of the hub with the values in force, group by group. */
export function HubSettings() {
  const hub = useHub();
  const query = useQuery({
    queryKey: ['admin', 'settings'],
    queryFn: ({ signal }) => listHubSettings({ ...hub, signal }),
  });
  return (
    <Administration tab="Settings">
      <Text size="sm" c="dimmed" mb="md">
        The values come from the environment of the hub, which sets those in bold: set the variable and start the hub
        again to change one. Secrets are never shown.
      </Text>
      <Loaded query={query}>
        {(settings) => (
          <Stack gap="lg">
            {groupsOf(settings).map(({ title, members }) => (
              <section key={title} aria-label={title}>
                <Title order={2} mb="xs">
                  {title}
                </Title>
                <DataTable label={title} columns={COLUMNS} stacks>
                  {members.map((setting) => (
                    <Row key={setting.name} setting={setting} />
                  ))}
                </DataTable>
              </section>
            ))}
          </Stack>
        )}
      </Loaded>
    </Administration>
  );
}

function Row({ setting }: { readonly setting: HubSetting }) {
  const { name, about, isSet } = setting;
  return (
    <Table.Tr data-setting={name}>
      <Table.Th scope="row" fw={isSet ? 650 : 400} className="breaks">
        <code>{name}</code>
      </Table.Th>
      <Table.Td data-label="Value" className="breaks">
        <Value setting={setting} />
      </Table.Td>
      <Table.Td data-label="What it does">
        <Text size="sm">
          <Prose text={about} />
        </Text>
      </Table.Td>
    </Table.Tr>
  );
}

function Value({ setting: { isSecret, isSet, value, default: byDefault } }: { readonly setting: HubSetting }) {
  const isDefault = value !== null && byDefault === `\`${value}\``;
  return (
    <>
      {isSecret && <Text size="sm">{isSet ? 'set' : 'not set'}</Text>}
      {value !== null && <Code>{value}</Code>}
      <Text size="xs" c="dimmed">
        {isDefault ? (
          'default'
        ) : (
          <>
            default: <Prose text={byDefault} />
          </>
        )}
      </Text>
    </>
  );
}

function groupsOf(settings: readonly HubSetting[]) {
  const titles = [...new Set(settings.map(({ group }) => group))];
  return titles.map((title) => ({ title, members: settings.filter(({ group }) => group === title) }));
}
