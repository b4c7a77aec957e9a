import { keepRulesFrom } from './lives/short.ts';

keepRulesFrom(200, 'eventstoredb');
