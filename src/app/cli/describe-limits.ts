/** Every bound of the service as a page of the documentation, made from the constants that hold it. */
import { describeFields, describeLists, describeShared, describeSize } from './limits/requests.ts';
import { describeCaches, describeRates, describeTimes } from './limits/running.ts';

export const describeLimits = (): string =>
  [
    '# Limits',
    '',
    'Made from the code by `npm run docs:generate`. What is beyond a bound of a request is refused:',
    '[errors](errors.md) says how.',
    '',
    ...describeSize(),
    ...describeShared(),
    ...describeLists(),
    ...describeCaches(),
    ...describeRates(),
    ...describeTimes(),
    ...describeFields(),
  ].join('\n');
