/** The same where a server has the log alone: what is appended and what is written to tables are not one transaction there. */
import { logFaults } from './faults.ts';
import { keepRulesIn } from './lives/long.ts';

keepRulesIn({ log: 'eventstoredb', usual: 3, livesMax: 16, faults: logFaults, twice: [5] });
