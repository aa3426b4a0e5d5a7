import { Button, Checkbox, Group, Paper, Pill, Stack, TextInput, Title } from '@mantine/core';
import { getMcpSettings, type McpSettings, updateMcpSettings } from '@moonbase/client/settings';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useHub } from '../session/session.tsx';
import { useChosen } from '../ui/chosen.ts';
import { Failure, Loaded } from '../ui/states.tsx';
import { Settings } from './settings.tsx';

const KNOWN = [
  ['hub_repo_search', 'Search repositories'],
  ['hub_repo_details', 'Look at repositories'],
  ['create_repo', 'Create repositories'],
  ['hf_fs', 'Read files'],
  ['hf_jobs', 'Run jobs'],
  ['dynamic_space', 'Use any Space'],
  ['hf_sandbox', 'Sandbox'],
  ['hf_sandbox_exec', 'Sandbox: run commands'],
  ['hf_sandbox_fs', 'Sandbox: files'],
  ['hf_files', 'Flag: files as links'],
  ['NO_GRADIO_IMAGE_CONTENT', 'Flag: no pictures from Spaces'],
] as const;
const KEY = ['settings', 'mcp'];

/** The tools that an MCP server offers to the user. */
export function Mcp() {
  const hub = useHub();
  const queries = useQueryClient();
  const query = useQuery({ queryKey: KEY, queryFn: ({ signal }) => getMcpSettings({ ...hub, signal }) });
  const change = useMutation({
    mutationFn: (changed: { builtInTools?: string[]; spaceTools?: { _id?: string; name?: string }[] }) =>
      updateMcpSettings({ ...hub, ...changed }),
    // Requests run one after the other, so that the last choice wins.
    scope: { id: 'mcp' },
    onSuccess: (answer) => queries.setQueryData(KEY, answer),
  });
  const { chosen, choose, forget } = useChosen<{ builtInTools: string[] }>();
  return (
    <Settings tab="MCP tools">
      <Stack>
        {change.error && <Failure error={change.error} />}
        <Loaded query={query}>
          {(settings) => (
            <>
              <Paper withBorder p="md">
                <Checkbox.Group
                  label="Built-in tools"
                  value={chosen.builtInTools ?? [...settings.builtInTools]}
                  onChange={(builtInTools) => {
                    choose({ builtInTools });
                    change.mutate({ builtInTools }, { onSettled: forget });
                  }}
                >
                  <Stack gap="xs" mt="sm">
                    {[...KNOWN, ...othersOf(settings)].map(([id, name]) => (
                      <Checkbox key={id} value={id} label={name} description={id} />
                    ))}
                  </Stack>
                </Checkbox.Group>
              </Paper>
              <Spaces
                settings={settings}
                busy={change.isPending && change.variables.spaceTools !== undefined}
                change={(spaceTools) => change.mutate({ spaceTools })}
              />
            </>
          )}
        </Loaded>
      </Stack>
    </Settings>
  );
}

const othersOf = ({ builtInTools }: McpSettings) =>
  builtInTools.filter((id) => !KNOWN.some(([known]) => known === id)).map((id) => [id, id] as const);

function Spaces(props: {
  readonly settings: McpSettings;
  readonly busy: boolean;
  readonly change: (spaces: { _id?: string; name?: string }[]) => void;
}) {
  const { settings, busy, change } = props;
  const { spaceTools } = settings;
  const [name, setName] = useState('');
  return (
    <Paper withBorder p="md" component="section" aria-label="Spaces">
      <Title order={2} mb="sm">
        Spaces as tools
      </Title>
      <Group gap="xs" mb="sm">
        {spaceTools.map((space) => (
          <Pill
            key={space._id}
            size="md"
            withRemoveButton
            removeButtonProps={{ 'aria-label': `Remove ${space.name}`, 'aria-hidden': false, tabIndex: 0 }}
            onRemove={() => change(spaceTools.filter(({ _id }) => _id !== space._id).map(({ _id }) => ({ _id })))}
          >
            {space.emoji} {space.name}
          </Pill>
        ))}
      </Group>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          change([...spaceTools.map(({ _id }) => ({ _id })), { name: name.trim() }]);
          setName('');
        }}
      >
        <Group gap="xs" align="flex-end">
          <TextInput
            label="Space"
            placeholder="acme/app"
            className="grows"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Button type="submit" loading={busy} disabled={name.trim() === ''}>
            Add
          </Button>
        </Group>
      </form>
    </Paper>
  );
}
