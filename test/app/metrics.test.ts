import { describe, expect, it } from 'vitest';
import { createMetrics } from '../../src/app/metrics.ts';
import { metricsTable } from '../../src/app/metrics-table.ts';
import { collectGarbage } from '../support/processes/garbage.ts';

/** Nobody has it beside the metrics of a service that nobody has. */
function heldByMetrics(): WeakRef<object> {
  const seconds = () => 1;
  createMetrics().showRatesAge(seconds);
  return new WeakRef(seconds);
}

describe('the metrics of a service', () => {
  it('tell of the process and of the service, beside those of others in the same process', async () => {
    const [one, other] = [createMetrics(), createMetrics()];
    one.screeningFailed();
    for (const [{ shown }, failures] of [
      [one, 1],
      [other, 0],
    ] as const) {
      const text = await shown.text();
      expect(text).toContain('process_cpu_seconds_total');
      expect(text).toContain('nodejs_gc_duration_seconds');
      expect(text).toContain(`daybook_screening_failures_total ${failures}`);
    }
  });

  it('are those of the table', async () => {
    const metrics = createMetrics();
    metrics.showRatesAge(() => 1);
    const named = [...(await metrics.shown.text()).matchAll(/^# TYPE (daybook_\w+) (\w+)$/gm)];
    const wanted = Object.values(metricsTable).map(({ name, type }) => [name, type]);
    expect(named.map(([, name, type]) => [name, type]).toSorted()).toEqual(wanted.toSorted());
  });

  it('have each outcome that is alerted on from the start: what begins at one has not risen', async () => {
    const metrics = createMetrics();
    metrics.periodicWorkBegins('timers');
    const text = await metrics.shown.text();
    for (const series of [
      'daybook_webhook_attempts_total{outcome="failed"} 0',
      'daybook_rail_calls_total{call="submit",outcome="failed"} 0',
      'daybook_rail_calls_total{call="receiverAt",outcome="failed"} 0',
      'daybook_periodic_failures_total{task="timers"} 0',
    ])
      expect(text).toContain(`${series}\n`);
  });

  it('are gone with the service, as often as one starts and stops', async () => {
    const held = heldByMetrics();
    await collectGarbage();
    expect(held.deref()).toBeUndefined();
  });
});
