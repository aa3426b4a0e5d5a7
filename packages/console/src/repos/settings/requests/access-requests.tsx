import { Anchor, Group, Paper, SegmentedControl } from '@mantine/core';
import { HubApiError } from '@moonbase/client/errors';
import { listAccessRequests } from '@moonbase/client/gating';
import { useQuery } from '@tanstack/react-query';
import { useHub } from '../../../session/session.tsx';
import { oneOf } from '../../../ui/chosen.ts';
import { To } from '../../../ui/link.tsx';
import { useUrlFilters } from '../../../ui/lists/url-filters.ts';
import { Empty, Loaded } from '../../../ui/states.tsx';
import { hrefOf, type Place } from '../../place.ts';
import { SettingsFrame } from '../frame.tsx';
import { GrantAccess } from './grant-access.tsx';
import { RequestRow } from './request-row.tsx';

const STATUSES = ['pending', 'accepted', 'rejected'] as const;
const NAMES = { pending: 'Waiting', accepted: 'Accepted', rejected: 'Rejected' } as const;

/** The requests for access to a gated repository, the latest 1,000 of each status, and a form that grants access. */
export function AccessRequests({ place }: { readonly place: Place }) {
  const { type, repo } = place;
  const hub = useHub();
  const [params, change] = useUrlFilters();
  const status = oneOf(STATUSES, params.get('status')) ?? 'pending';
  const query = useQuery({
    queryKey: ['access-requests', type, repo, status],
    queryFn: ({ signal }) => listAccessRequests({ ...hub, type, repo, status, signal }),
  });
  const home = hrefOf({ ...place, page: 'tree', path: '' });
  if (query.error instanceof HubApiError && query.error.status === 400)
    return (
      <SettingsFrame place={place}>
        <Empty title="Not gated">
          Everybody who can read the repository can read its files.{' '}
          <To href={hrefOf({ ...place, path: '' })} underline="always">
            Gate them
          </To>{' '}
          to decide who does.
        </Empty>
      </SettingsFrame>
    );
  return (
    <SettingsFrame place={place}>
      <GrantAccess place={place} />
      <Group mb="sm" justify="space-between">
        <SegmentedControl
          aria-label="Status"
          value={status}
          onChange={(chosen) => change({ status: chosen === 'pending' ? undefined : chosen })}
          data={STATUSES.map((value) => ({ value, label: NAMES[value] }))}
        />
        <Anchor href={`${home}/user-access-report`} download size="sm" underline="always">
          Download all
        </Anchor>
      </Group>
      <Loaded query={query}>
        {(requests) =>
          requests.length === 0 ? (
            <Empty title="No requests">{status === 'pending' && 'Nobody is waiting for a decision.'}</Empty>
          ) : (
            <Paper withBorder>
              <ul className="plain-list" aria-label="Access requests">
                {requests.map((request) => (
                  <RequestRow key={request.requestId} request={request} place={place} />
                ))}
              </ul>
            </Paper>
          )
        }
      </Loaded>
    </SettingsFrame>
  );
}
