import { Button } from '@mantine/core';
import { updateWatched } from '@moonbase/client/watching';
import { useHub } from '../session/session.tsx';
import { useAct } from '../ui/act.ts';
import { Outcome } from '../ui/outcome.tsx';

/** A button that follows a user or an organization, or ends that. Following is watching. */
export function Follow(props: { readonly type: 'user' | 'org'; readonly name: string; readonly isFollowing: boolean }) {
  const { type, name, isFollowing } = props;
  const hub = useHub();
  const { act, busy, error } = useAct(['account', name], ['watched']);
  const targets = [{ type, id: name }];
  return (
    <>
      <Button
        variant="default"
        loading={busy}
        aria-pressed={isFollowing}
        onClick={() => act(() => updateWatched({ ...hub, ...(isFollowing ? { delete: targets } : { add: targets }) }))}
      >
        {isFollowing ? 'Following' : 'Follow'}
      </Button>
      <Outcome of={error} error={error} text={undefined} good={false} />
    </>
  );
}
