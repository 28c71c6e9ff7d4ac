import { act } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import { navigate } from 'wouter/use-browser-location'
import { show, startTestPage } from '#web/testing/page.tsx'
import { PageChange } from './PageChange.tsx'

startTestPage()

const page = (content: ReactNode) => (
  <>
    <button>Menu</button>
    <main id="main">{content}</main>
    <PageChange />
  </>
)

/** Goes to a page that has no heading until the test calls `load`. */
function openPage() {
  const { rerender, getByRole } = show(page(<p>Loading</p>))
  act(() => navigate('/zimmers?view=rooms&room=1'))
  return { load: () => rerender(page(<h1>The mill</h1>)), getByRole }
}

test('a person who opens another page has the focus on its heading, also when the page shows it later', async () => {
  const { load, getByRole } = openPage()
  expect(document.activeElement).toBe(getByRole('main'))
  load()
  await expect.poll(() => document.activeElement).toBe(getByRole('heading'))
})

test('a person who moves the focus while a page is loading keeps it there', async () => {
  const { load, getByRole } = openPage()
  getByRole('button').focus()
  load()
  await act(async () => {})
  expect(document.activeElement).toBe(getByRole('button'))
})
