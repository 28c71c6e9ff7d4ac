import { fireEvent, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { show, startTestPage } from '#web/testing/page.tsx'
import { Shortcuts } from './Shortcuts.tsx'

startTestPage()

test('a person who presses ? sees every shortcut once', async () => {
  show(<Shortcuts />)
  fireEvent.keyDown(document.body, { key: '?' })
  const list = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }))
  const keys = list.getAllByRole('term').map((term) => [...term.children].map((key) => key.textContent))
  expect(keys.map((pressed) => pressed.join(' '))).toEqual([
    '/',
    'Ctrl+K',
    'n',
    '[',
    ']',
    'j',
    'k',
    'Enter',
    'g f',
    'g d',
    'g /',
    'g c',
    'g r',
    'g m',
    'g p',
    'g s',
    'g w',
    '?',
    'F8',
    'Escape',
  ])
})

const press = (key: string, target: Element = document.activeElement!) => fireEvent.keyDown(target, { key })

test.each([
  ['p', '/users'],
  ['/', '/diary'],
  ['s', '/settings'],
])('a person who presses g and %s comes to %s', (key, path) => {
  show(<Shortcuts />)
  press('g')
  press(key)
  expect(location.pathname).toBe(path)
})

test('a reader moves from post to post by j and k, stays at the ends, and does not move while typing', () => {
  show(
    <>
      <main>
        {['First', 'Second'].map((name) => (
          <article key={name} data-post aria-label={name}>
            <button>Open {name}</button>
          </article>
        ))}
        <article aria-label="No post" />
      </main>
      <input aria-label="Search" />
      <Shortcuts />
    </>,
  )
  const post = (name: string) => screen.getByRole('article', { name })
  press('k')
  expect(document.activeElement).toBe(document.body)
  press('j')
  expect(document.activeElement).toBe(post('First'))
  press('k')
  expect(document.activeElement).toBe(post('First'))
  screen.getByRole('button', { name: 'Open First' }).focus()
  press('j')
  expect(document.activeElement).toBe(post('Second'))
  press('j')
  expect(document.activeElement).toBe(post('Second'))
  press('k')
  expect(document.activeElement).toBe(post('First'))
  const search = screen.getByRole('textbox', { name: 'Search' })
  search.focus()
  press('j')
  expect(document.activeElement).toBe(search)
})
