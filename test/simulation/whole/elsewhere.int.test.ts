/** The same where a server has the log alone: what is appended and what is written to tables are not one transaction there. */
import { allFaults, usualFaults } from './faults.ts';
import { keepRulesIn } from './lives/long.ts';

const ofTheServer = allFaults.filter((fault) => !usualFaults.includes(fault));

keepRulesIn({ log: 'eventstoredb', usual: 6, livesMax: 16, faults: ofTheServer, twice: [5, 6] });
