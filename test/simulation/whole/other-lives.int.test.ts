import { keepRulesFrom } from './short-lives.ts';

keepRulesFrom(200, 'eventstoredb');
