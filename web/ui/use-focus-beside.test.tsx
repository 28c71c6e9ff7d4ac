import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { Button } from './Button.tsx'
import { useFocusBeside } from './use-focus-beside.ts'

afterEach(cleanup)

function Row({ name, onLeave }: { name: string; onLeave: () => void }) {
  const row = useFocusBeside<HTMLLIElement>()
  return (
    <li ref={row}>
      <Button onClick={onLeave}>{name}</Button>
    </li>
  )
}

function Page({ hasField }: { hasField: boolean }) {
  const [names, setNames] = useState(['One', 'Two'])
  return (
    <>
      <h1>Rows</h1>
      <ul>
        {names.map((name) => (
          <Row key={name} name={name} onLeave={() => setNames(names.filter((other) => other !== name))} />
        ))}
      </ul>
      {hasField && names.length < 2 && <input aria-label="Name" autoFocus />}
    </>
  )
}

test.each([
  {
    hasField: false,
    role: 'button',
    title: 'the focus of a row that leaves moves to the button of the next row',
  },
  { hasField: true, role: 'textbox', title: 'a field that takes the focus when a row leaves keeps it' },
])('$title', async ({ hasField, role }) => {
  render(<Page hasField={hasField} />)
  const button = screen.getByRole('button', { name: 'One' })
  button.focus()
  fireEvent.click(button)
  await Promise.resolve()
  expect(document.activeElement).toBe(screen.getByRole(role))
})
