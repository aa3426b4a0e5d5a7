import { serve } from './serve.ts';

serve(process.env).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
