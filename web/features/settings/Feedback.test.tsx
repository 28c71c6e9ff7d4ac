import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ToastsProvider } from '#web/ui/toasts.tsx'
import { Feedback } from './Feedback.tsx'
import { pass } from '#web/lib/testing.ts'

const missing = 'Please provide both rating and feedback'
const thanks = 'Thank you for your feedback!'
const fetching = vi.fn<typeof fetch>()

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('fetch', fetching)
  render(
    <ToastsProvider>
      <Feedback />
    </ToastsProvider>,
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
const toastText = () => screen.queryByRole('listitem')?.textContent

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
  'without %s no feedback is sent, and a toast says what is missing [SET-12 NOTE-12]',
  async (_what, rating, words) => {
    if (rating) fireEvent.click(screen.getByRole('radio', { name: rating }))
    type(words)
    await send()
    expect(toastText()).toBe(missing)
    expect(screen.queryByRole('alertdialog')).toBeNull()
    await pass(2000)
    expect(toastText()).toBe(missing)
    expect(text().value).toBe(words)
  },
)

test('feedback takes a second, a toast says thank you, and the form is empty; nothing is sent to the server [SET-13 SET-14 SET-15 NOTE-12]', async () => {
  fireEvent.click(screen.getByRole('radio', { name: '5 stars' }))
  type('Lovely')
  await send()
  await send()
  expect(screen.getByRole('button', { name: 'Send feedback' }).getAttribute('aria-busy')).toBe('true')
  await pass(999)
  expect(toastText()).toBeUndefined()
  expect(text().value).toBe('Lovely')
  await pass(1)
  expect(toastText()).toBe(thanks)
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(text().value).toBe('')
  expect(stars().some(({ checked }) => checked)).toBe(false)
  await pass(5000)
  expect(toastText()).toBeUndefined()
  expect(fetching).not.toHaveBeenCalled()
})
