import { Badge, Button, Group, Paper, Stack, Text, TextInput } from '@mantine/core';
import { explainAccess } from '@moonbase/client/custom-roles';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { useHub, useMe } from '../session/session.tsx';
import { Loaded } from '../ui/states.tsx';
import { Organization, useOrganizationName } from './organization.tsx';

const TYPES = ['model', 'dataset', 'space', 'bucket', 'kernel'] as const;

/** Explains what a user may do in an organization or with one of its repositories, and why. */
export function Access() {
  const organization = useOrganizationName();
  const hub = useHub();
  const { data: me } = useMe();
  const [params, setParams] = useSearchParams();
  const request = { user: params.get('user') ?? '', repo: params.get('repo') ?? '' };
  const [user, setUser] = useState(request.user);
  const [repo, setRepo] = useState(request.repo);
  const [first = '', ...rest] = request.repo.split('/');
  const type = TYPES.find((each) => each === first && rest.length > 0);
  const query = useQuery({
    queryKey: ['access', organization, request.user, request.repo],
    queryFn: ({ signal }) =>
      explainAccess({
        ...{ ...hub, organization, signal },
        ...(request.user !== '' && { user: request.user }),
        ...(request.repo !== '' && { repo: type ? rest.join('/') : request.repo }),
        ...(type && { type }),
      }),
  });
  return (
    <Organization tab="Access">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setParams(
            new URLSearchParams([
              ...(user.trim() === '' ? [] : [['user', user.trim()]]),
              ...(repo.trim() === '' ? [] : [['repo', repo.trim()]]),
            ]),
          );
        }}
      >
        <Group gap="xs" mb="md" align="flex-end">
          <TextInput
            label="Who"
            className="grows"
            placeholder={me?.name ?? ''}
            value={user}
            onChange={(event) => setUser(event.currentTarget.value)}
          />
          <TextInput
            label="Repository"
            className="grows"
            placeholder="all of the organization; or bert, dataset/letters"
            value={repo}
            onChange={(event) => setRepo(event.currentTarget.value)}
          />
          <Button type="submit">Explain</Button>
        </Group>
      </form>
      <Loaded query={query}>
        {({ role, may, grants }) => (
          <Stack>
            <Paper withBorder p="md">
              <Group gap="xs">
                <Text size="sm">{role === null ? 'No access' : 'Effective role:'}</Text>
                {role && <Badge>{role}</Badge>}
              </Group>
              {grants.length > 0 && (
                <ul aria-label="Grants">
                  {grants.map(({ source, name, role: given }) => (
                    <li key={`${source} ${name} ${given}`}>
                      {given} by {source.replaceAll('-', ' ')} {name}
                    </li>
                  ))}
                </ul>
              )}
            </Paper>
            <Group gap={6} component="ul" className="plain-list" aria-label="May">
              {may.map((word) => (
                <Badge key={word} component="li" color="gray">
                  {word}
                </Badge>
              ))}
            </Group>
          </Stack>
        )}
      </Loaded>
    </Organization>
  );
}
