/** The console: who is not signed in signs in, and everybody else sees the page of the address. */
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { daybook, isSignedOut, type Refused, refusedOf, type Session } from './data/client.ts';
import { onEnded, onOthers, SessionContext } from './data/session.ts';
import { followLinks } from './kernel/route.ts';
import { showTheme } from './kernel/theme.ts';
import { Pages } from './pages/pages.tsx';
import { SignIn } from './pages/sign-in.tsx';
import { Refusal, Waiting } from './parts/states.tsx';
import './style/base.css';
import './style/layout.css';
import './style/parts.css';

type State = { readonly session?: Session; readonly refused?: Refused; readonly isKnown: boolean };

function Console() {
  const [{ session, refused, isKnown }, setState] = useState<State>({ isKnown: false });
  const ask = () =>
    daybook.getConsoleSession().then(
      (found) => setState({ session: found, isKnown: true }),
      (error: unknown) =>
        setState(isSignedOut(error) ? { isKnown: true } : { isKnown: true, refused: refusedOf(error) }),
    );
  useEffect(() => {
    void ask();
    const forgets = [onEnded(() => setState({ isKnown: true })), onOthers(() => void ask())];
    return () => {
      for (const forget of forgets) forget();
    };
  }, []);
  if (!isKnown) return null;
  if (refused) return <Refusal refused={refused} retry={ask} />;
  if (!session) return <SignIn done={(begun) => setState({ session: begun, isKnown: true })} />;
  return (
    <SessionContext.Provider value={session}>
      {/* Nothing of what another token was shown stays. */}
      <Pages key={session.tokenId} />
    </SessionContext.Provider>
  );
}

showTheme();
addEventListener('click', followLinks);
const root = document.getElementById('console');
if (root)
  render(
    <>
      <Console />
      <Waiting />
    </>,
    root,
  );
