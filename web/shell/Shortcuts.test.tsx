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
    'n',
    '[',
    ']',
    'g f',
    'g d',
    'g c',
    'g r',
    'g m',
    'g w',
    '?',
    'F8',
    'Escape',
  ])
})
