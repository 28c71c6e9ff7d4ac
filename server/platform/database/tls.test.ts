import { expect, test } from 'vitest'
import { withVerifiedTls } from './tls.ts'

test.each([
  'postgres://ana:secret@db.example.org/zimmer',
  'postgres://ana:secret@db.example.org/zimmer?sslmode=require',
  'postgres://ana:secret@db.example.org/zimmer?sslmode=prefer',
  'postgres://ana@10.0.0.4:6432/zimmer',
])('a remote server must prove who it is: %s [R1]', (connectionString) => {
  const { searchParams } = new URL(withVerifiedTls({ connectionString }).connectionString ?? '')
  expect(searchParams.get('sslmode')).toBe('verify-full')
})

test.each([
  'postgres://ana@db.example.org/zimmer?sslmode=disable',
  'postgres://ana@db.example.org/zimmer?sslmode=no-verify',
  'postgres://ana@localhost/zimmer',
  'postgres://ana@127.0.0.1:5432/zimmer',
  'postgres:///zimmer?host=/var/run/postgresql',
  'socket:/var/run/postgresql?db=zimmer',
])('a server of this machine, or one that is excepted, is taken as it is: %s [R1]', (connectionString) => {
  expect(withVerifiedTls({ connectionString })).toEqual({ connectionString })
})
