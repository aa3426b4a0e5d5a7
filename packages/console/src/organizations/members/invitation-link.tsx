import { ShownOnce } from '../../ui/secrets/shown-once.tsx';

/** The link of an invitation by email, which the hub shows only once; without mail, the admin has to pass it on. */
export function InvitationLink({ link }: { readonly link: string }) {
  return (
    <ShownOnce title="Invited" value={link} what="the link">
      Within seven days this link accepts the invitation, once and for anybody who has it.
    </ShownOnce>
  );
}
