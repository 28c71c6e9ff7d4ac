import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { open, startAdminPage } from './testing.tsx'

startAdminPage()

test('an admin sees the last 30 days as pictures, each with its numbers as a table [ADM-17]', async () => {
  open('analytics')
  expect(await screen.findByRole('img', { name: '435 posts in 30 days, at most 29 in one day' })).toBeTruthy()
  expect(screen.getByRole('img', { name: '0 new users in 30 days, at most 0 in one day' })).toBeTruthy()
  const table = screen.getByRole('table', { name: 'Posts per day', hidden: true })
  const rows = within(table).getAllByRole('row', { hidden: true })
  expect(rows).toHaveLength(31)
  expect(rows[1]!.lastElementChild!.textContent).toBe('29')
  const bars = [...screen.getByRole('img', { name: /^435 posts/ }).querySelectorAll('rect')]
  expect(bars.slice(0, 2).map((bar) => [bar.getAttribute('height'), bar.textContent])).toEqual([
    ['0', expect.stringMatching(/: 0 posts$/)],
    [expect.stringMatching(/^[3-9]/), expect.stringMatching(/: 1 post$/)],
  ])
})
