import { Text } from '@mantine/core';
import { getLink } from '@moonbase/client/authentication';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'wouter';
import { useHub } from '../session/session.tsx';
import { faultOf } from '../ui/fault.ts';
import { To } from '../ui/link.tsx';
import { Failure } from '../ui/states.tsx';
import { ConfirmEmail } from './confirm-email.tsx';
import { JoinForm } from './join-form.tsx';
import { Welcome } from './welcome.tsx';

/**
 * The page of a link that was sent to somebody. Opening the page does not use the link, because mail programs also open
 * links.
 */
export function Join() {
  const { code = '' } = useParams();
  const hub = useHub();
  const { data, error, refetch } = useQuery({
    queryKey: ['link', code],
    queryFn: ({ signal }) => getLink({ ...hub, code, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (data) {
    const { purpose, user, email = '' } = data;
    if (purpose === 'email') return <ConfirmEmail code={code} user={user ?? ''} email={email} />;
    return <JoinForm code={code} purpose={purpose} user={user} passwordMin={data.passwordMin} />;
  }
  if (!error) return null;
  const { status } = faultOf(error);
  if (status !== 404 && status !== 410)
    return (
      <Welcome title="Moonbase">
        <Failure error={error} retry={refetch} />
      </Welcome>
    );
  return (
    <Welcome title="This link does not work">
      <Text size="sm">
        {status === 410
          ? 'It has been used, has expired or was replaced by a newer one.'
          : 'The hub does not know it. Check that the whole address was copied.'}{' '}
        Ask whoever sent it for another one.
      </Text>
      <To href="/" size="sm" underline="always">
        Sign in
      </To>
    </Welcome>
  );
}
