/** A backup that cannot be made or taken, in a sentence for the operator. Nothing was changed. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}
