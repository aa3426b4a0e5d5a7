/** Something wrong with a xorb or a shard; the message may be shown to whoever sent it. */
export class XetFault extends Error {
  override name = 'XetFault';
}
