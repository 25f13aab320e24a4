import { useState } from 'react';
import { type AccountView, control } from './control.ts';

type Done = { says: string; statusUrl?: string };

/** Instagram's and Facebook's "Apps and websites": where a creator takes back what they allowed, and asks for deletion. */
export function ConnectedApps({ account }: { account: AccountView }) {
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState<Done>();
  const [problem, setProblem] = useState<string>();

  const act = (work: () => Promise<Done>) => async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      setDone(await work());
    } catch (error) {
      setProblem((error as Error).message);
    }
    setBusy(false);
  };
  const remove = act(async () => {
    const { status } = await control.deauthorize(account.accountId);
    return {
      says: `Removed. Creator HQ was notified${status === 200 ? '' : `, and answered ${status ?? 'nothing'}`}.`,
    };
  });
  const removeAndDelete = act(async () => {
    // Asked first: whose the Page is, is told by the tokens that the removal ends.
    const { status, body } = await control.requestDataDeletion(account.accountId);
    await control.deauthorize(account.accountId);
    if (status !== 200) throw new Error(`Creator HQ answered ${status}`);
    const { url, confirmation_code } = JSON.parse(body) as { url: string; confirmation_code: string };
    return { says: `Removed and requested data deletion. Your code: ${confirmation_code}`, statusUrl: url };
  });

  return (
    <>
      <header className="top">
        <h2>Apps and websites</h2>
      </header>
      <section className="connected-app" aria-label="Creator HQ">
        <h3>Creator HQ</h3>
        <p>Can read and reply to comments and messages for {account.name}.</p>
        <button type="button" className="plain" disabled={busy} onClick={remove}>
          Remove
        </button>
        <button type="button" className="plain" disabled={busy} onClick={removeAndDelete}>
          Remove and delete my data
        </button>
        <div role="status">
          {done && (
            <p>
              {done.says}{' '}
              {done.statusUrl !== undefined && (
                <a className="status-link" href={done.statusUrl} target="_blank" rel="noreferrer">
                  See status
                </a>
              )}
            </p>
          )}
        </div>
        {problem !== undefined && <p role="alert">The simulator couldn’t do it: {problem}</p>}
      </section>
    </>
  );
}
