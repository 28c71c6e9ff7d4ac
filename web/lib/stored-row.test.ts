import { expect, test } from 'vitest'
import { storedRow } from './stored-row.ts'

interface Row {
  text: string
  count: number
  isSaved: boolean
  savedAt: string | null
}
const schema = storedRow<Row>({
  text: 'string',
  count: 'number',
  isSaved: 'boolean',
  savedAt: 'string or null',
})
const row: Row = { text: 'A day.', count: 1, isSaved: true, savedAt: null }

test.each([row, { ...row, savedAt: '2025-06-10' }])('a person finds a stored row again: %o', (stored) => {
  expect(schema.parse(stored)).toEqual(stored)
})

test.each([
  null,
  'A day.',
  {},
  { ...row, text: null },
  { ...row, count: '1' },
  { ...row, isSaved: 'true' },
  { ...row, savedAt: 0 },
  { ...row, savedAt: undefined },
])('a person does not get a stored row of another shape: %o', (stored) => {
  expect(() => schema.parse(stored)).toThrow(TypeError)
})
