/** Who is signed in. The secret is in a cookie that no script can read: this is what the service says about it. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { daybook, type Permission, type Session } from './client.ts';

const ended = new Set<() => void>();

/** The tabs of a browser have one cookie: each tells the others when it stands for somebody else. */
const tabs = new BroadcastChannel('daybook-session');

export const onOthers = (tell: () => void): (() => void) => {
  tabs.addEventListener('message', tell);
  return () => tabs.removeEventListener('message', tell);
};

export const onEnded = (tell: () => void): (() => void) => {
  ended.add(tell);
  return () => void ended.delete(tell);
};

/** The service does not know the session any more, or it was ended here. */
export function endSession(): void {
  for (const tell of ended) tell();
}

export async function signIn(clientId: string, clientSecret: string): Promise<Session> {
  const session = await daybook.createConsoleSession({ body: { clientId, clientSecret } });
  tabs.postMessage('signed in');
  return session;
}

export async function signOut(): Promise<void> {
  await daybook.deleteConsoleSession();
  tabs.postMessage('signed out');
  endSession();
}

export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('only pages behind the sign-in ask who is signed in');
  return session;
}

/** Whether to show what needs the permission. The service decides for itself. */
export const useMay = (permission: Permission): boolean => useSession().permissions.includes(permission);
