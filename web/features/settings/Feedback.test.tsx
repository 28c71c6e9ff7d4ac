import { fireEvent, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { pass } from '#web/lib/testing.ts'
import { show, startTestPage } from '#web/testing/page.tsx'
import { Feedback } from './Feedback.tsx'

const missing = 'Please provide both rating and feedback'
const thanks = 'Thank you for your feedback!'
const server = startTestPage()

beforeEach(() => {
  vi.useFakeTimers()
  show(<Feedback />)
})

const stars = () => screen.getAllByRole<HTMLInputElement>('radio', { hidden: true })
const text = () => screen.getByLabelText<HTMLTextAreaElement>('Feedback')
const type = (value: string) => fireEvent.change(text(), { target: { value } })
const toastText = () => screen.queryByRole('listitem')?.textContent

async function send() {
  fireEvent.click(screen.getByRole('button', { name: 'Send feedback' }))
  await pass(0)
}

test('a person rates by one to five stars, each with a name [SET-10 SET-11]', () => {
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
  ['rating', undefined, 'Lovely'],
  ['text', '5 stars', ''],
  ['text but white space', '5 stars', ' \n'],
  ['rating and no text', undefined, ''],
])(
  'a person who sends no %s reads in a toast what is missing, and no feedback is sent [SET-12 NOTE-12]',
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

test('a person who gives feedback reads a toast after a second, and the form is empty; nothing is sent to the server [SET-13 SET-14 SET-15 NOTE-12]', async () => {
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
  expect(server.requests).toEqual([])
})
