import type { useLeave } from './leave.ts';
import type { InboxPage } from './pages.ts';
import { Row } from './row.tsx';
import type { Selection } from './selection-bar.tsx';
import { threadOf } from './thread.ts';
import { Why } from './why.tsx';

/** The notifications of a page; those of the inbox say why the user has them. */
export function NotificationList(props: {
  readonly notifications: InboxPage['notifications'];
  readonly reasons: InboxPage['reasons'];
  readonly isDone: boolean;
  readonly selection: Selection;
  readonly toggle: (id: string) => void;
  readonly narrow: (repo: string) => void;
  readonly leave: ReturnType<typeof useLeave>;
}) {
  const { notifications, isDone, selection, toggle, narrow, leave } = props;
  const reasons = new Map(props.reasons?.map((reason) => [reason.id, reason]));
  return (
    <ul className="plain-list" aria-label={isDone ? 'Done notifications' : 'Notifications'}>
      {notifications.map((each) => {
        const thread = threadOf(each);
        const { id, title } = thread;
        const reason = reasons.get(id);
        return (
          <Row
            key={id}
            thread={thread}
            read={each.read}
            updatedAt={each.updatedAt}
            selected={selection === 'all' || selection.has(id)}
            toggle={() => toggle(id)}
            narrow={narrow}
            why={
              reason && (
                <Why title={title} reason={reason} leave={(leaving) => leave.mutate({ leaving, reason, title })} />
              )
            }
          />
        );
      })}
    </ul>
  );
}
