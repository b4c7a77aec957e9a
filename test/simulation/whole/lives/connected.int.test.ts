/** The same where the screening, the mail server and the rail are asked by the connectors of the service, over a network. */
import { networkFaults } from '../faults.ts';
import { keepRulesIn } from './long.ts';

keepRulesIn({
  log: 'postgres',
  outside: 'network',
  usual: 3,
  livesMax: 16,
  faults: networkFaults,
  twice: [4],
});
