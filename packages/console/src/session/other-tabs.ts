/** What tabs of one browser tell each other, because they share the cookie of the session. */
export type Change = 'signed-in' | 'signed-out';

const channel = new BroadcastChannel('moonbase-session');

export const tellOtherTabs = (change: Change): void => channel.postMessage(change);

/** Calls back when another tab has signed in or out. Returns what ends that. */
export function onOtherTab(onChange: (change: Change) => void): () => void {
  const heard = ({ data }: MessageEvent<unknown>) => {
    if (data === 'signed-in' || data === 'signed-out') onChange(data);
  };
  channel.addEventListener('message', heard);
  return () => channel.removeEventListener('message', heard);
}
