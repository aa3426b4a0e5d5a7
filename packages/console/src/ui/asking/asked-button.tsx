import { Button } from '@mantine/core';
import type { QueryKey } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useAct } from '../act.ts';
import { Confirm } from './confirm.tsx';

/** A button that takes something away, after a question that names it. */
export function AskedButton(props: {
  readonly label: string;
  /** The name of the button for screen readers, where the label alone does not say what it is about. */
  readonly name?: string;
  readonly question: string;
  /** The label of the button that confirms; by default that of the button. */
  readonly action?: string;
  readonly does: () => Promise<unknown>;
  /** The queries that the action changes. */
  readonly changes?: readonly QueryKey[];
  /** Runs the action in place of the dialog, which closes first: for what may need a recent sign-in. */
  readonly run?: (does: () => Promise<unknown>) => void;
  readonly size?: 'compact-sm' | 'sm';
  readonly disabled?: boolean;
  /** What follows from it. */
  readonly children: ReactNode;
}) {
  const {
    label,
    name,
    question,
    action = label,
    does,
    changes = [],
    run,
    size = 'compact-sm',
    disabled = false,
  } = props;
  const [asking, setAsking] = useState(false);
  const { act, busy, error, reset } = useAct(...changes);
  const close = () => {
    setAsking(false);
    reset();
  };
  const confirm = () => {
    if (!run) return act(does, close);
    close();
    run(does);
  };
  return (
    <>
      <Button
        size={size}
        variant="default"
        disabled={disabled}
        {...(name !== undefined && { 'aria-label': name })}
        onClick={() => setAsking(true)}
      >
        {label}
      </Button>
      <Confirm
        opened={asking}
        title={question}
        action={action}
        busy={busy}
        error={error}
        close={close}
        confirm={confirm}
      >
        {props.children}
      </Confirm>
    </>
  );
}
