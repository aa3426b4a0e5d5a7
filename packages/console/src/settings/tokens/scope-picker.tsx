import { Button, Checkbox, Group, Paper, Stack } from '@mantine/core';
import { AddScope } from './add-scope.tsx';
import { type Choice, choicesOf, EVERYWHERE, type Permission, type Scope } from './scopes.ts';

/** Selects the permissions of a fine-grained token for each object. */
export function ScopePicker(props: {
  readonly scopes: readonly Scope[];
  readonly everywhere: readonly Permission[];
  readonly change: (scopes: readonly Scope[]) => void;
  readonly changeEverywhere: (permissions: readonly Permission[]) => void;
}) {
  const { scopes, everywhere, change, changeEverywhere } = props;
  return (
    <Stack gap="sm">
      {scopes.map((scope) => {
        const { entity, permissions } = scope;
        const title = entity.type === 'user' ? `Your account, ${entity.name}` : `${entity.type}: ${entity.name}`;
        const others = scopes.filter((each) => each !== scope);
        return (
          <Paper key={entity._id} withBorder p="md">
            <Choices
              title={title}
              choices={choicesOf(entity.type)}
              chosen={permissions}
              choose={(chosen) =>
                change(scopes.map((each) => (each === scope ? { entity, permissions: chosen } : each)))
              }
            />
            {entity.type !== 'user' && (
              <Group justify="flex-end">
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={`Remove ${entity.name}`}
                  onClick={() => change(others)}
                >
                  Remove
                </Button>
              </Group>
            )}
          </Paper>
        );
      })}
      <AddScope
        taken={scopes.map(({ entity }) => entity._id)}
        add={(entity) => change([...scopes, { entity, permissions: [] }])}
      />
      <Paper withBorder p="md">
        <Choices title="Everywhere" choices={EVERYWHERE} chosen={everywhere} choose={changeEverywhere} />
      </Paper>
    </Stack>
  );
}

function Choices(props: {
  readonly title: string;
  readonly choices: readonly Choice[];
  readonly chosen: readonly Permission[];
  readonly choose: (chosen: readonly Permission[]) => void;
}) {
  const { title, choices, chosen, choose } = props;
  return (
    <Checkbox.Group
      label={title}
      value={[...chosen]}
      onChange={(words) => choose(choices.map(([word]) => word).filter((word) => words.includes(word)))}
    >
      <Stack gap={6} my="xs">
        {choices.map(([word, text]) => (
          <Checkbox key={word} value={word} label={text} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
