import { Anchor, Text } from '@mantine/core';
import { type Leaving, type Reason, sentenceOf, waysOut } from './reasons.ts';

const LABELS = { unwatch: 'Unwatch', watch: 'Watch', mute: 'Mute', unmute: 'Unmute' } as const;

/** Says why the user has a notification, and offers the way out. */
export function Why(props: {
  readonly title: string;
  readonly reason: Reason;
  readonly leave: (leaving: Leaving) => void;
}) {
  const { title, reason, leave } = props;
  return (
    <>
      <Text size="xs" c="dimmed" className="breaks">
        {sentenceOf(reason)}
        {reason.muted && ' · Muted'}
      </Text>
      {waysOut(reason).map((way) => (
        <Anchor
          key={way}
          component="button"
          type="button"
          size="xs"
          mih={24}
          aria-label={way === 'unwatch' ? `${LABELS[way]}: ${title}` : `${LABELS[way]} ${title}`}
          onClick={() => leave(way)}
        >
          {LABELS[way]}
        </Anchor>
      ))}
    </>
  );
}
