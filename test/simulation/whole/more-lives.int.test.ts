import { keepRulesFrom } from './lives/short.ts';

keepRulesFrom(100);
