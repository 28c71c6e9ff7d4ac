import { Client } from 'pg'
import { expect, test, vi } from 'vitest'
import { connectionTo } from './connection.ts'
import { withVerifiedTls } from './tls.ts'

/** How `pg` would connect to this address. */
const connectingTo = (connectionString: string) => new Client(connectionTo({ connectionString }))
const certificate = new URL(import.meta.url).pathname

test.each([
  'postgres://ana:secret@db.example.org/zimmer',
  'postgres://ana:secret@db.example.org/zimmer?sslmode=require',
  'postgres://ana:secret@db.example.org/zimmer?sslmode=prefer',
  'postgres://ana:secret@db.example.org/zimmer?sslmode=verify-ca',
  'postgres://ana:secret@db.example.org/zimmer?sslmode=verify-full',
  'postgres://ana:secret@db.example.org/zimmer?sslmode=of',
  'postgres://ana:secret@db.example.org/zimmer?ssl=true',
  'postgres://ana:secret@db.example.org/zimmer?ssl=0',
  'postgres://ana:secret@db.example.org/zimmer?ssl=no-verify',
  'postgres://ana:secret@db.example.org/zimmer?uselibpqcompat=true',
  'postgres://ana:secret@db.example.org/zimmer?uselibpqcompat=true&sslmode=prefer',
  'postgres://ana:secret@db.example.org/zimmer?uselibpqcompat=true&sslmode=require',
  'postgres://ana:secret@db.example.org/zimmer?uselibpqcompat=true&sslmode=verify-ca',
  `postgres://ana:secret@db.example.org/zimmer?uselibpqcompat=true&sslmode=require&sslrootcert=${certificate}`,
  `postgres://ana:secret@db.example.org/zimmer?sslrootcert=${certificate}`,
  'postgres://ana:secret@/zimmer?host=db.example.org',
  'postgres://db.example.org/zimmer?host=',
  'postgres://localhost/zimmer?host=localhost&host=db.example.org',
  'postgres://ana:a%zz b@db.example.org/zimmer',
  'postgres://127.db.example.org/zimmer',
  'postgres://localhost.example.org/zimmer',
  'postgres://ana@10.0.0.4:6432/zimmer',
  'postgres://ana@[2001:db8::1]/zimmer',
  'postgres://ana@localhost/zimmer?sslmode=verify-full',
])('a remote server must prove who it is: %s [R1]', (address) => {
  const { ssl } = connectingTo(address)
  expect(ssl).toMatchObject({ rejectUnauthorized: true })
  expect(ssl).not.toHaveProperty('checkServerIdentity')
})

test.each([
  ['postgres://ana@db.example.org/zimmer?sslmode=disable', false],
  ['postgres://ana@db.example.org/zimmer?ssl=true&sslmode=disable', false],
  ['postgres://ana@db.example.org/zimmer?sslmode=no-verify', { rejectUnauthorized: false }],
  ['postgres://ana@localhost/zimmer', false],
  ['postgres://ana@LOCALHOST/zimmer', false],
  ['postgres://ana@127.0.0.1:5432/zimmer', false],
  ['postgres://ana@127.0.0.53:5432/zimmer', false],
  ['postgres://ana@[::1]/zimmer', false],
  ['postgres://ana@/zimmer?host=::1', false],
  ['postgres:///zimmer', false],
  ['postgres:///zimmer?host=/var/run/postgresql', false],
  ['postgres://ana:secret@%2Fvar%2Frun%2Fpostgresql/zimmer', false],
  ['socket:/var/run/postgresql?db=zimmer', false],
  ['postgres://ana@localhost/zimmer?ssl=true', true],
])('a server of this machine, or one that is excepted, is taken as it is: %s [R1]', (address, ssl) => {
  expect(connectingTo(address).ssl).toEqual(ssl)
})

test('a server that PGHOST names is remote as well [R1]', () => {
  vi.stubEnv('PGHOST', 'db.example.org')
  const { host, ssl } = connectingTo('postgres:///zimmer')
  vi.unstubAllEnvs()
  expect([host, ssl]).toEqual(['db.example.org', { rejectUnauthorized: true }])
})

test('the certificate of an authority, and that of a client, are kept [R1]', () => {
  const files = `sslrootcert=${certificate}&sslcert=${certificate}&sslkey=${certificate}`
  const address = `postgres://db.example.org/zimmer?sslmode=verify-full&${files}`
  const text = expect.stringContaining('sslrootcert')
  expect(withVerifiedTls({ connectionString: address }).ssl).toEqual({
    ca: text,
    cert: text,
    key: text,
    rejectUnauthorized: true,
  })
})

test('options in any form of address leave the settings that the code relies on [R26]', () => {
  for (const start of ['postgres://ana@db.example.org/zimmer?', 'postgres://ana@/zimmer?host=/tmp&']) {
    const { options } = connectionTo({ connectionString: `${start}options=-c%20TimeZone%3DAsia/Tokyo` })
    expect(options).toMatch(/^-c TimeZone=Asia\/Tokyo .*-c TimeZone=UTC/)
  }
})
