import { ShownOnce } from '../../../ui/secrets/shown-once.tsx';

/** New recovery codes for the user to save. */
export const RecoveryCodes = ({ codes }: { readonly codes: readonly string[] }) => (
  <ShownOnce title="Your recovery codes" value={codes.join('\n')} what="the codes">
    Keep them where you find them without your phone. Each signs you in once in the place of a code.
  </ShownOnce>
);
