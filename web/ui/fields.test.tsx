import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { Avatar } from './Avatar.tsx'
import { Button } from './Button.tsx'
import { Switch } from './Switch.tsx'
import { Tabs } from './Tabs.tsx'
import { TextField } from './TextField.tsx'

afterEach(cleanup)

test('a screen reader reads a field with its label, its hint and its error', () => {
  const { rerender } = render(<TextField label="Email" hint="Only you see it." />)
  const field = screen.getByLabelText('Email')
  expect(described(field)).toEqual(['Only you see it.'])
  expect(field.getAttribute('aria-invalid')).toBeNull()

  rerender(<TextField label="Email" hint="Only you see it." error="Please type an address." />)
  expect(described(field)).toEqual(['Only you see it.', 'Please type an address.'])
  expect(field.getAttribute('aria-invalid')).toBe('true')
  expect(screen.getByRole('alert').textContent).toBe('Please type an address.')
})

const described = (field: HTMLElement) =>
  field
    .getAttribute('aria-describedby')
    ?.split(' ')
    .map((id) => document.getElementById(id)?.textContent)

test('a person who presses a busy button starts nothing and sends no form', () => {
  const onClick = vi.fn<() => void>()
  const onSubmit = vi.fn<() => void>()
  render(
    <form onSubmit={onSubmit}>
      <Button busy type="submit" onClick={onClick}>
        Save
      </Button>
    </form>,
  )
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(onClick).not.toHaveBeenCalled()
  expect(onSubmit).not.toHaveBeenCalled()
})

test('a person finds a switch by its name and turns it by its label', () => {
  const onChange = vi.fn<(checked: boolean) => void>()
  render(<Switch label="Public room" checked={false} onChange={onChange} />)
  expect(screen.getByRole('switch', { name: 'Public room' }).getAttribute('aria-checked')).toBe('false')
  fireEvent.click(screen.getByText('Public room'))
  expect(onChange).toHaveBeenCalledExactlyOnceWith(true)
})

test.each([
  ['ArrowRight', 'Diary'],
  ['ArrowLeft', 'Rooms'],
  ['End', 'Rooms'],
  ['Home', 'Feed'],
])('a person in a row of tabs goes by %s from Feed to %s', (key, to) => {
  render(<Sections />)
  fireEvent.keyDown(screen.getByRole('tab', { name: 'Feed' }), { key })
  expect(document.activeElement?.textContent).toBe(to)
  expect(screen.getByRole('tab', { selected: true }).textContent).toBe(to)
  expect(screen.getByRole('tabpanel', { name: to }).textContent).toBe(`The ${to}`)
})

function Sections() {
  const [value, setValue] = useState('Feed')
  return (
    <Tabs
      label="Sections"
      tabs={['Feed', 'Diary', 'Rooms'].map((name) => ({ value: name, label: name }))}
      value={value}
      onChange={setValue}
    >
      The {value}
    </Tabs>
  )
}

test.each([
  ['Ana Lind', 'AL'],
  ['ana maria von lind', 'AL'],
  ['Ørsted', 'Ø'],
  ['ana@example.org', 'A'],
  ['Jean-Luc', 'J'],
  ['山田 太郎', '山太'],
  ['𝒜da 𝓛ove', '𝒜𝓛'],
  ['कविता शर्मा', 'कश'],
  ['e\u0301va', 'E\u0301'],
  ['🦊', '🦊'],
  ['  ', ''],
])('the avatar of a person named %j shows the initials %j', (name, letters) => {
  const { container } = render(<Avatar name={name} />)
  expect(container.textContent).toBe(letters)
})
