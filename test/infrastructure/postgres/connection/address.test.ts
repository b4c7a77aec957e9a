import { describe, expect, it } from 'vitest';
import { addressOf, weakerSslMode } from '../../../../src/infrastructure/postgres/connection/address.ts';

const at = (query: string) => `postgres://ada:100%25@db.example:5433/books${query}`;

describe('an address of Postgres', () => {
  it.each([
    ['', ''],
    ['?sslmode=disable', '?sslmode=disable'],
    ['?sslmode=no-verify', '?sslmode=no-verify'],
    ['?sslmode=verify-full', '?sslmode=verify-full'],
    ['?sslmode=require', '?sslmode=verify-full'],
    ['?sslmode=prefer&sslrootcert=/ca.crt', '?sslmode=verify-full&sslrootcert=%2Fca.crt'],
    ['?application_name=mine&sslmode=verify-ca', '?sslmode=verify-full'],
    ['?uselibpqcompat=true&sslmode=require', '?uselibpqcompat=true&sslmode=require'],
  ])('with %j is taken as %j', (given, taken) => {
    expect(addressOf(at(given)).connectionString).toBe(at(taken));
  });

  it.each([
    ['?sslmode=require', 'require'],
    ['?sslmode=verify-full', undefined],
    ['', undefined],
  ])('with %j asks for less than is done: %j', (given, mode) => {
    expect(weakerSslMode(at(given))).toBe(mode);
  });
});
