/** The messages between tabs of one browser, which share the session cookie. */
export type Change = 'signed-in' | 'signed-out' | 'changed';

const channel = new BroadcastChannel('moonbase-session');

export const tellOtherTabs = (change: Change): void => channel.postMessage(change);

/** Calls `onChange` when another tab signs in or out, or has changed something. Returns a function that removes the listener. */
export function onOtherTab(onChange: (change: Change) => void): () => void {
  const onMessage = ({ data }: MessageEvent<unknown>) => {
    if (data === 'signed-in' || data === 'signed-out' || data === 'changed') onChange(data);
  };
  channel.addEventListener('message', onMessage);
  return () => channel.removeEventListener('message', onMessage);
}
