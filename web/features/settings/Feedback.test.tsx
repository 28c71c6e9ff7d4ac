import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AlertsProvider } from '#web/ui/alerts.tsx'
import { Feedback } from './Feedback.tsx'
import { pass } from '#web/lib/testing.ts'

// Loaded before the clock is stopped.
await import('#web/ui/AlertDialog.tsx')

const missing = 'Please provide both rating and feedback'
const thanks = 'Thank you for your feedback!'
const fetching = vi.fn<typeof fetch>()

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('fetch', fetching)
  render(
    <AlertsProvider>
      <Feedback />
    </AlertsProvider>,
  )
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const stars = () => screen.getAllByRole<HTMLInputElement>('radio', { hidden: true })
const text = () => screen.getByLabelText<HTMLTextAreaElement>('Feedback')
const type = (value: string) => fireEvent.change(text(), { target: { value } })
const alertText = () => screen.queryByRole('alertdialog')?.textContent

async function send() {
  fireEvent.click(screen.getByRole('button', { name: 'Send feedback' }))
  await pass(0)
}

test('a rating is one to five stars, chosen by name [SET-10 SET-11]', () => {
  expect(stars().map((star) => star.labels![0]!.textContent)).toEqual([
    '1 star',
    '2 stars',
    '3 stars',
    '4 stars',
    '5 stars',
  ])
  expect(stars().some(({ checked }) => checked)).toBe(false)
  fireEvent.click(screen.getByRole('radio', { name: '4 stars' }))
  expect(stars().map(({ checked }) => checked)).toEqual([false, false, false, true, false])
})

test.each([
  ['a rating', undefined, 'Lovely'],
  ['a text', '5 stars', ''],
  ['more than white space', '5 stars', ' \n'],
  ['both', undefined, ''],
])(
  'without %s nothing goes on its way, and what is missing is said [SET-12]',
  async (_what, rating, words) => {
    if (rating) fireEvent.click(screen.getByRole('radio', { name: rating }))
    type(words)
    await send()
    expect(alertText()).toBe(`${missing}OK`)
    await pass(2000)
    expect(alertText()).toBe(`${missing}OK`)
    expect(text().value).toBe(words)
  },
)

test('feedback takes a second, is thanked for and leaves an empty form; no server hears of it [SET-13 SET-14 SET-15]', async () => {
  fireEvent.click(screen.getByRole('radio', { name: '5 stars' }))
  type('Lovely')
  await send()
  await send()
  expect(screen.getByRole('button', { name: 'Send feedback' }).getAttribute('aria-busy')).toBe('true')
  await pass(999)
  expect(alertText()).toBeUndefined()
  expect(text().value).toBe('Lovely')
  await pass(1)
  expect(alertText()).toBe(`${thanks}OK`)
  expect(text().value).toBe('')
  expect(stars().some(({ checked }) => checked)).toBe(false)
  fireEvent.click(screen.getByRole('button', { name: 'OK' }))
  await pass(2000)
  expect(alertText()).toBeUndefined()
  expect(fetching).not.toHaveBeenCalled()
})
