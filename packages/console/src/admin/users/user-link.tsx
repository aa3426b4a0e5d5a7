import { ShownOnce } from '../../ui/secrets/shown-once.tsx';

/** A link for a site administrator to send to a user, who sets a password with it. */
export function UserLink({
  purpose,
  name,
  url,
}: {
  readonly purpose: 'invite' | 'reset';
  readonly name: string;
  readonly url: string;
}) {
  const lasts = purpose === 'reset' ? 'Within 30 minutes' : 'Within seven days';
  return (
    <ShownOnce title={purpose === 'reset' ? 'Reset link' : 'Invitation link'} value={url} what="the link">
      Send this link to {name} and to nobody else. {lasts} whoever opens it can set the password of {name} and sign in,
      once.
    </ShownOnce>
  );
}
