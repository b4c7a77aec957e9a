import type { Session } from '../data/client.ts';
import { useAction } from '../data/load.ts';
import { signIn } from '../data/session.ts';
import { Form, Input } from '../parts/fields.tsx';

export function SignIn({ done }: { done: (session: Session) => void }) {
  const action = useAction(
    ({ clientId = '', clientSecret = '' }: Record<string, string>) => signIn(clientId, clientSecret),
    done,
  );
  return (
    <main class="sign-in">
      <h1>Daybook console</h1>
      <div class="card">
        <p>Sign in with an API token. You see its platform, and can do what it may.</p>
        <Form submit="Sign in" onFilled={(filled) => void action.run(filled)} action={action}>
          <Input label="Client id" name="clientId" autoComplete="username" isRequired />
          <Input
            label="Client secret"
            name="clientSecret"
            type="password"
            autoComplete="current-password"
            isRequired
          />
        </Form>
        <p class="muted">
          The first start of the service prints one, and keeps it in <code>.daybook/credentials</code>.
        </p>
      </div>
    </main>
  );
}
