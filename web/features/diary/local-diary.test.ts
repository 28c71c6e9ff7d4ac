import { beforeEach, expect, test } from 'vitest'
import { entryForm, forgetSavedDays, hasSavedText, localDiary, localForm } from './local-diary.ts'

const early = '2025-06-10T08:00:00.000Z'
const entry = (entry_date: string, content = 'Text', updated_at: string | null = early) => ({
  entry_date,
  content,
  updated_at,
})
const local = localDiary('ana')

beforeEach(() => localStorage.clear())

test('an entry is stored in this browser with the fields of the server and a flag that it is saved [DIARY-17 DIARY-18]', () => {
  const here = localForm(entry('2025-06-10'))
  expect(here).toEqual({
    date: '2025-06-10',
    content: 'Text',
    saved: true,
    updated_at: early,
  })
  expect(entryForm(here)).toEqual(entry('2025-06-10'))
})

test.each([
  ['Text', early, true],
  ['', early, false],
  [' \n\u200b', early, false],
  ['Text', null, false],
])(
  'an entry with the text %j and the version %s is shown to its reader: %s [DIARY-30 DIARY-49]',
  (content, at, shown) => {
    expect(hasSavedText(entry('2025-06-10', content, at))).toBe(shown)
  },
)

test('the saved copies that an older program left of an account are removed, and an unsaved text stays [OWN-21 OWN-22]', () => {
  const unsaved = { date: '2025-06-10', content: 'Unsaved', saved: false, updated_at: null }
  local.write('2025-06-09', localForm(entry('2025-06-09')))
  local.write('2025-06-10', unsaved)
  forgetSavedDays('ana')
  expect(local.all()).toEqual([unsaved])
})

test('a person with damaged days in this browser reads the other days [S48]', () => {
  local.write('2025-06-10', localForm(entry('2025-06-10')))
  localStorage.setItem('diary:ana:2025-06-09', '{"date":"2025-06-09","content":"Old form"}')
  localStorage.setItem('diary:ana:not-a-day', '{}')
  expect(local.all()).toEqual([localForm(entry('2025-06-10'))])
})
