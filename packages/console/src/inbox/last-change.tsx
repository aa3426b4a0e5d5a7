import { Outcome } from '../ui/outcome.tsx';
import type { Change, useChange } from './changes.ts';
import type { useLeave } from './leave.ts';
import { outcomeOf, UNDOES } from './reasons.ts';

/** Shows what happened last where a notification left the list, or its way out was taken, and offers to undo it. */
export function LastChange(props: {
  readonly change: ReturnType<typeof useChange>;
  readonly leave: ReturnType<typeof useLeave>;
}) {
  const { change, leave } = props;
  if (leave.submittedAt > change.submittedAt) {
    const { data, error, variables: left } = leave;
    return (
      <Outcome
        of={error ?? data}
        error={error}
        text={left && outcomeOf(left.leaving, left.title, left.reason)}
        good={error === null}
        undo={left && (() => leave.mutate({ ...left, leaving: UNDOES[left.leaving] }))}
      />
    );
  }
  const { data, variables: changed } = change;
  const moved = data !== undefined && changed !== undefined && (changed.act === 'done' || changed.act === 'restore');
  return (
    <Outcome
      of={moved ? data : undefined}
      error={null}
      text={changed && `${data?.count ?? 0} ${changed.act === 'done' ? 'done' : 'back in the inbox'}`}
      good
      undo={changed && isUndone(changed) ? () => change.mutate({ ...changed, act: 'restore' }) : undefined}
    />
  );
}

/** Notifications that were done by their ids return by their ids; what all matching ones were, nobody knows. */
const isUndone = ({ act, threads }: Change) => act === 'done' && threads !== 'all';
