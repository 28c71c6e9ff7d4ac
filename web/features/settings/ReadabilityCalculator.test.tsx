import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ReadabilityCalculator } from './ReadabilityCalculator.tsx'

beforeEach(() => void render(<ReadabilityCalculator />))
afterEach(cleanup)

const result = () => screen.getByRole('status').textContent
const type = (value: string) => fireEvent.change(screen.getByLabelText('Text'), { target: { value } })
const counts = () => screen.getAllByRole('definition').map(({ textContent }) => textContent)

test.each(['', ' \n', '…!'])('a text %j without words has no result [SET-01 SET-04]', (text) => {
  type('A cat.')
  type(text)
  expect(result()).toBe('')
  expect(screen.queryAllByRole('definition')).toEqual([])
})

test.each([
  ['The cat sat on the mat.', '2.4 very easy', ['1', '6', '0']],
  ['A banana is on the big red table now.', '8.0 easy', ['1', '9', '1']],
  ['A banana is good food for all', '8.5 easy', ['1', '7', '1']],
  ['A banana is on it.', '10.0 easy', ['1', '5', '1']],
  ['A banana is on.', '11.6 easy', ['1', '4', '1']],
  ['A banana is', '14.5 fairly difficult', ['1', '3', '1']],
  ['Bananas! Potatoes! Tomatoes?', '40.4 difficult to read', ['3', '3', '3']],
])('the text %j has the result %s [SET-01 SET-02 SET-03 SET-04]', async (text, shown, numbers) => {
  type(text)
  await waitFor(() => expect(result()).toBe(shown))
  expect(counts()).toEqual(numbers)
})

test('the heaviest of several sentences are marked, in the whole text [SET-01]', async () => {
  const text = 'One cat. Two dogs ran. A banana salesman. Three tomatoes remember potatoes. Rain.'
  type(text)
  await waitFor(() => expect(document.querySelectorAll('mark')).toHaveLength(3))
  const marks = [...document.querySelectorAll('mark')].map(({ textContent }) => textContent)
  expect(marks).toContain('Three tomatoes remember potatoes.')
  expect(marks).not.toContain('One cat.')
  expect(document.querySelector('.reading')!.textContent).toBe(text)
})
