import { daybook } from '../../data/client.ts';
import { useAction, useLoad } from '../../data/load.ts';
import { useMay } from '../../data/session.ts';
import { Act, Form, Input } from '../../parts/fields.tsx';
import { Shown } from '../../parts/states.tsx';
import { Facts, Status, Time } from '../../parts/values.tsx';

export function Clock() {
  const may = useMay('MANAGE');
  const clock = useLoad('clock', (signal) => daybook.sandboxGetClock({ signal }), { everyMs: 2_000 });
  const freeze = useAction<void>(() => daybook.sandboxFreezeClock({ body: {} }), clock.reload);
  const resume = useAction<void>(() => daybook.sandboxResumeClock(), clock.reload);
  const next = useAction<void>(
    () => daybook.sandboxAdvanceClock({ body: { toNextTimer: true } }),
    clock.reload,
  );
  const advance = useAction(
    (duration: string) => daybook.sandboxAdvanceClock({ body: { duration } }),
    clock.reload,
  );
  return (
    <section class="card">
      <h2>Clock</h2>
      <Shown of={clock}>
        {({ status, now, nextTimerAt }) => (
          <>
            <Facts
              of={[
                ['Status', <Status of={status} />],
                ['Now', <Time at={now} />],
                ['Next timer', <Time at={nextTimerAt} />],
              ]}
            />
            {may && (
              <div class="row">
                {status === 'FROZEN' ? (
                  <Act label="Resume" action={resume} />
                ) : (
                  <Act label="Freeze" action={freeze} />
                )}
                <Act label="To the next timer" action={next} />
              </div>
            )}
          </>
        )}
      </Shown>
      {may && (
        <Form
          submit="Advance"
          action={advance}
          label="Advance the clock"
          onFilled={({ duration = '' }) => void advance.run(duration)}
        >
          <Input label="By a duration (PT1H, P1D)" name="duration" value="PT1H" isRequired />
        </Form>
      )}
    </section>
  );
}
