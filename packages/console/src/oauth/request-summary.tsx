import { Checkbox, List, Stack, Text, Title } from '@mantine/core';
import type { DeviceLogin } from '@moonbase/client/oauth';

/** The part of a request that all pages show: the application, the scopes, and the organizations. */
export function RequestSummary(props: {
  readonly request: Pick<DeviceLogin, 'application' | 'scopes' | 'organizations'>;
  readonly picked: readonly string[];
  readonly pick: (organizations: string[]) => void;
}) {
  const { request, picked, pick } = props;
  const { application, scopes, organizations } = request;
  return (
    <Stack>
      <Text>
        <strong className="breaks">{application.name}</strong>
        {application.owner === undefined ? ', which comes with this hub,' : `, an application of ${application.owner},`}{' '}
        wants to act for you. It will be able to:
      </Text>
      <List aria-label="What it may do">
        {scopes.map(({ name, description }) => (
          <List.Item key={name}>{description}</List.Item>
        ))}
      </List>
      {organizations.length > 0 && (
        <section aria-label="Organizations">
          <Title order={2} size="h4" mb="xs">
            Organizations
          </Title>
          <Checkbox.Group
            description="It reaches what you may reach in those that you pick, and nothing in others."
            value={[...picked]}
            onChange={pick}
          >
            <Stack gap="xs" mt="xs">
              {organizations.map(({ id, name, fullname }) => (
                <Checkbox key={id} value={name} label={fullname} description={name} />
              ))}
            </Stack>
          </Checkbox.Group>
        </section>
      )}
    </Stack>
  );
}

/** Returns the names of the preselected organizations. */
export const selectedIn = ({ organizations }: Pick<DeviceLogin, 'organizations'>): string[] =>
  organizations.filter(({ selected }) => selected).map(({ name }) => name);
