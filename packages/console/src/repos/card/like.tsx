import { Button } from '@mantine/core';
import { likeRepo, listLikers, unlikeRepo } from '@moonbase/client/likes';
import { useQuery } from '@tanstack/react-query';
import { useHub, useMe } from '../../session/session.tsx';
import { useAct } from '../../ui/act.ts';
import { Outcome } from '../../ui/outcome.tsx';
import type { Place } from '../place.ts';

/** Of more likers, the page does not see whether the user is among them. */
const MAX_LIKERS = 1000;

/** A button that likes a repository, or takes the like back. */
export function Like({ place: { type, repo }, likes }: { readonly place: Place; readonly likes: number }) {
  const hub = useHub();
  const { data: me } = useMe();
  const { data: isLiked } = useQuery({
    queryKey: ['likers', type, repo, me?.name],
    enabled: me !== undefined,
    async queryFn({ signal }) {
      let seen = 0;
      for await (const { user } of listLikers({ ...hub, type, repo, pageSize: MAX_LIKERS, signal })) {
        if (user === me?.name) return true;
        if (++seen === MAX_LIKERS) break;
      }
      return false;
    },
  });
  const { act, busy, error } = useAct(['likers', type, repo], ['repo', type, repo], ['explore']);
  const one = { ...hub, type, repo };
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        loading={busy}
        disabled={isLiked === undefined}
        aria-pressed={isLiked === true}
        onClick={() => act(() => (isLiked ? unlikeRepo(one) : likeRepo(one)))}
      >
        {isLiked ? 'Liked' : 'Like'} {likes > 0 && likes.toLocaleString('en')}
      </Button>
      <Outcome of={error} error={error} text={undefined} good={false} />
    </>
  );
}
