import { Affix, Button, Notification, Text, Transition } from '@mantine/core';
import { useEffect, useState } from 'react';
import { faultOf } from './fault.ts';
import { CloseIcon } from './icons.tsx';

const SHOWN_MS = 6000;
/** Whoever goes through the page by keyboard reaches the button in this time. */
const WITH_UNDO_SHOWN_MS = 20_000;

/** Shows the outcome of an action for a while, longer where it can be undone. */
export function Outcome(props: {
  /** Shows the outcome again when this value changes. */
  readonly of: unknown;
  readonly error: unknown;
  readonly text: string | undefined;
  readonly good: boolean;
  readonly undo?: (() => void) | undefined;
}) {
  const { of, error, text, good, undo } = props;
  const shownMs = undo ? WITH_UNDO_SHOWN_MS : SHOWN_MS;
  const [closed, setClosed] = useState<unknown>();
  const shown = of !== undefined && of !== null && of !== closed;
  useEffect(() => {
    if (!shown || !good) return;
    const timer = setTimeout(() => setClosed(of), shownMs);
    return () => clearTimeout(timer);
  }, [shown, good, of, shownMs]);
  return (
    <Affix position={{ bottom: 16, right: 16 }} zIndex={300}>
      <Transition mounted={shown} transition="slide-up">
        {(style) => (
          <Notification
            style={style}
            withBorder
            color={good ? 'green' : 'red'}
            role={good ? 'status' : 'alert'}
            onClose={() => setClosed(of)}
            closeButtonProps={{ 'aria-label': 'Close', icon: <CloseIcon size={16} /> }}
          >
            <Text size="sm" className="keeps-lines breaks">
              {error ? faultOf(error).message : text}
            </Text>
            {undo && good && (
              <Button size="compact-sm" variant="default" mt={4} onClick={undo}>
                Undo
              </Button>
            )}
          </Notification>
        )}
      </Transition>
    </Affix>
  );
}
