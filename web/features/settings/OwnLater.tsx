import { Card } from '#web/ui/Card.tsx';

/** Support inside somebody's account: what belongs to the person is not the creator's, and stays out of reach. */
export function OwnLater() {
  return (
    <Card title="These are your personal settings">
      <p className="text-muted">
        They belong to your login, not to this creator account. Exit admin access mode to change them.
      </p>
    </Card>
  );
}
