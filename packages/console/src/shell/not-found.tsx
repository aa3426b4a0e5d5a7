import { To } from '../ui/link.tsx';
import { Page } from '../ui/page.tsx';
import { Empty } from '../ui/states.tsx';

export function NotFound() {
  return (
    <Page title="Not found">
      <Empty title="There is no such page">
        <To href="/inbox">To the inbox</To>
      </Empty>
    </Page>
  );
}
