import { Suspense, useState } from 'react';
import { Broken } from '../../ui/broken.tsx';
import { part } from '../../ui/updates/part.ts';

const SampleEvents = part(() => import('./sample-events.tsx').then((page) => page.SampleEvents));

/** The events that the hub sends, each with a sample of its payload; loaded once it is opened. */
export function EventCatalogue() {
  const [opened, setOpened] = useState(false);
  return (
    <details onToggle={(event) => setOpened(event.currentTarget.open)}>
      <summary>Events and sample payloads</summary>
      {opened && (
        <Broken>
          <Suspense>
            <SampleEvents />
          </Suspense>
        </Broken>
      )}
    </details>
  );
}
