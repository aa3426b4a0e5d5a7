import { Alert } from '@mantine/core';
import { faultOf } from './fault.ts';

/** Shows the hub's message about a failed request; renders nothing without an error. */
export function Refused({ error, mt = 'sm' }: { readonly error: unknown; readonly mt?: string }) {
  if (error === null || error === undefined) return null;
  return (
    <Alert color="red" role="alert" mt={mt} p="sm" className="keeps-lines breaks">
      {faultOf(error).message}
    </Alert>
  );
}
