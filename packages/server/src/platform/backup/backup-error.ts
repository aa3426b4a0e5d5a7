/** An error of making or restoring a backup, as a sentence for the operator. Nothing was changed. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}
