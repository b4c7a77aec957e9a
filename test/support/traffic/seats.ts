/** A small kind of stream, for tests of the machinery that runs deciders: a table with so many seats. */
import { z } from 'zod';
import { assertBalanced, postings } from '../../../src/domain/books/postings.ts';
import type { Aggregate } from '../../../src/kernel/aggregate.ts';
import type { EventOf } from '../../../src/kernel/codecs.ts';
import type { Decider } from '../../../src/kernel/decider.ts';
import { Rejected } from '../../../src/kernel/rejected.ts';

const schemas = {
  SeatTaken: z.object({ guest: z.string().min(1) }),
  SeatLeft: z.object({ guest: z.string() }),
  TipGiven: z.object({ postings }),
};
type SeatEvent = EventOf<typeof schemas>;

export type SeatCommand =
  | { readonly type: 'Take' | 'Leave'; readonly guest: string }
  | { readonly type: 'Tip'; readonly given: bigint; readonly received: bigint }
  | { readonly type: 'Mumble' | 'Stumble' };

type Seats = readonly string[];

const decider = (max: number): Decider<Seats, SeatCommand, SeatEvent> => ({
  initial: [],
  decide(command, guests) {
    switch (command.type) {
      case 'Take':
        if (guests.includes(command.guest)) return [];
        if (guests.length >= max) throw new Rejected('CONFLICT', 'The table is full.');
        return [{ type: 'SeatTaken', data: { guest: command.guest } }];
      case 'Leave':
        return guests.includes(command.guest) ? [{ type: 'SeatLeft', data: { guest: command.guest } }] : [];
      case 'Tip': {
        const { given, received } = command;
        const from = { account: 'rail', minor: -given, currency: 'USD' } as const;
        return [
          { type: 'TipGiven', data: { postings: [from, { ...from, account: 'fees', minor: received }] } },
        ];
      }
      case 'Mumble':
        return [{ type: 'SeatTaken', data: { guest: '' } }];
      case 'Stumble':
        throw new TypeError('stumbled');
    }
  },
  evolve(guests, event) {
    switch (event.type) {
      case 'SeatTaken':
        return [...guests, event.data.guest];
      case 'SeatLeft':
        return guests.filter((guest) => guest !== event.data.guest);
      case 'TipGiven':
        return guests;
    }
  },
});

export const table = (max = 3): Aggregate<Seats, SeatCommand, SeatEvent> => ({
  category: 'table',
  schemas,
  decider: decider(max),
  check: assertBalanced,
});

export const take = (guest: string): SeatCommand => ({ type: 'Take', guest });
export const leave = (guest: string): SeatCommand => ({ type: 'Leave', guest });
