import { Button, Code, Group, Paper, Text, Title } from '@mantine/core';
import { type Application, deleteApplication, listApplications } from '@moonbase/client/applications';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useHub } from '../../session/session.tsx';
import { useAct } from '../../ui/act.ts';
import { Confirm } from '../../ui/asking/confirm.tsx';
import { Loaded, Loading } from '../../ui/states.tsx';
import { EditApplication } from './edit-application.tsx';
import { NewApplication } from './new-application.tsx';
import { APPLICATIONS } from './queries.ts';

/** The applications that the user has registered. */
export function OwnApplications() {
  const hub = useHub();
  const query = useQuery({ queryKey: APPLICATIONS, queryFn: ({ signal }) => listApplications({ ...hub, signal }) });
  const { act, busy, error, reset } = useAct(APPLICATIONS);
  const [deleting, setDeleting] = useState<Application>();
  const [changing, setChanging] = useState<string>();
  const close = () => {
    setDeleting(undefined);
    reset();
  };
  return (
    <section aria-label="Your applications">
      <Title order={2} mb="sm">
        Your applications
      </Title>
      <Loaded query={query} loading={<Loading rows={1} height={220} />}>
        {(applications) =>
          applications.length > 0 && (
            <Paper withBorder mb="md">
              <ul className="plain-list" aria-label="Applications">
                {applications.map((application) => (
                  <Group key={application.clientId} component="li" className="row" px="md" py="sm">
                    <div className="fills">
                      <Text fw={600} className="breaks">
                        {application.name}
                      </Text>
                      <Text size="sm" c="dimmed" component="div" className="breaks">
                        <Code>{application.clientId}</Code> {application.scopes.join(' ')}
                      </Text>
                      {changing === application.clientId && (
                        <EditApplication application={application} close={() => setChanging(undefined)} />
                      )}
                    </div>
                    <Button
                      size="compact-sm"
                      variant="default"
                      aria-label={`Change ${application.name}`}
                      aria-expanded={changing === application.clientId}
                      onClick={() => setChanging(application.clientId)}
                    >
                      Change
                    </Button>
                    <Button
                      size="compact-sm"
                      variant="default"
                      aria-label={`Delete ${application.name}`}
                      onClick={() => setDeleting(application)}
                    >
                      Delete
                    </Button>
                  </Group>
                ))}
              </ul>
            </Paper>
          )
        }
      </Loaded>
      <NewApplication />
      <Confirm
        opened={deleting !== undefined}
        title={`Delete ${deleting?.name}?`}
        action="Delete"
        busy={busy}
        error={error}
        close={close}
        confirm={() => deleting && act(() => deleteApplication({ ...hub, clientId: deleting.clientId }), close)}
      >
        Everybody who let {deleting?.name} in is logged out of it, for good.
      </Confirm>
    </section>
  );
}
