import { Affix, Notification, Text, Transition } from '@mantine/core';
import { useEffect, useState } from 'react';
import { faultOf } from './fault.ts';
import { CloseIcon } from './icons.tsx';

/** Shows the outcome of an action for a while. */
export function Outcome(props: {
  /** Shows the outcome again when this value changes. */
  readonly of: unknown;
  readonly error: unknown;
  readonly text: string | undefined;
  readonly good: boolean;
}) {
  const { of, error, text, good } = props;
  const [closed, setClosed] = useState<unknown>();
  const shown = of !== undefined && of !== null && of !== closed;
  useEffect(() => {
    if (!shown || !good) return;
    const timer = setTimeout(() => setClosed(of), 6000);
    return () => clearTimeout(timer);
  }, [shown, good, of]);
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
          </Notification>
        )}
      </Transition>
    </Affix>
  );
}
