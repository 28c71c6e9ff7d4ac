import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { addAllowance, type Allowance, endAllowance, listAllowances } from '#contract/allowances/endpoints.ts'
import { done } from '#contract/schemas.ts'
import { show, startTestPage } from '#web/testing/page.tsx'
import { admin } from '#web/testing/people.ts'
import { AdminPage } from './AdminPage.tsx'
import { endOfAllowance } from './allowances.ts'

const server = startTestPage()
const hourMs = 60 * 60 * 1000

let stored: Allowance[]
let added = 0
const anAllowance = (more: Partial<Allowance> = {}): Allowance => ({
  id: `01900000-0000-7000-8000-${String(++added).padStart(12, '0')}`,
  network: '192.0.2.0/24',
  factor: 5,
  until: '2099-06-10T13:00:00.000Z',
  ...more,
})

beforeEach(() => {
  stored = []
  server.on(listAllowances, () => stored)
  server.on(addAllowance, ({ input }) => {
    const allowance = anAllowance(input)
    stored = [...stored, allowance]
    return allowance
  })
  server.on(endAllowance, ({ params }) => {
    stored = stored.filter(({ id }) => id !== params.id)
    return done
  })
})

async function open(...allowances: Allowance[]) {
  stored = allowances
  show(<AdminPage />, { at: '/admin?part=limits', user: admin })
  await screen.findByRole('heading', { name: 'Add an allowance' })
}
const rows = () =>
  within(screen.getByRole('list', { name: 'Allowances' }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)
const field = () => screen.getByLabelText<HTMLInputElement>('Address or network')
const choose = (name: string) => fireEvent.click(screen.getByRole('radio', { name }))
const send = () => fireEvent.click(screen.getByRole('button', { name: 'Add' }))

test('an admin allows a class more, reads what that means, and sees the allowance with its end [INST-16]', async () => {
  await open()
  expect(screen.getByText('The usual limits hold for everybody')).toBeTruthy()
  expect(screen.getByText(/nobody can guess a passcode faster/)).toBeTruthy()
  send()
  expect(await screen.findByText('Please enter an address or a network.')).toBeTruthy()
  expect(server.calls(addAllowance)).toEqual([])
  fireEvent.change(field(), { target: { value: '198.51.100.0/24' } })
  fireEvent.change(screen.getByLabelText('Up to how many times the usual limits'), { target: { value: '4' } })
  expect(screen.getByText(/^Then 40 people can register/)).toBeTruthy()
  choose('In 8 hours')
  send()
  expect(await screen.findByText('The allowance is added')).toBeTruthy()
  const [input] = server.inputs(addAllowance)
  expect(input).toMatchObject({ network: '198.51.100.0/24', factor: 4 })
  const hours = (Date.parse(input!.until) - Date.now()) / hourMs
  expect(Math.abs(hours - 8)).toBeLessThan(0.1)
  await waitFor(() => expect(rows()[0]).toContain('198.51.100.0/24Up to 4 times the usual limits, until '))
  expect(field().value).toBe('')
})

test('an admin allows everybody more, without a network, and reads what speaks against it [INST-16]', async () => {
  await open()
  choose('Everybody')
  expect(screen.queryByLabelText('Address or network')).toBeNull()
  expect(screen.getByText(/Choose a network where you can/)).toBeTruthy()
  send()
  await waitFor(() => expect(server.inputs(addAllowance)).toMatchObject([{ network: null, factor: 5 }]))
})

test('an admin whose network is refused reads why at the field, and what was typed stays [INST-16 R22]', async () => {
  await open()
  const sentence = 'This is an address within a network. The network is 198.51.100.0/24.'
  server.refuse(addAllowance, 'InvalidInput', { fields: { network: sentence } })
  fireEvent.change(field(), { target: { value: '198.51.100.7/24' } })
  send()
  expect(await screen.findByText(sentence)).toBeTruthy()
  expect(field().value).toBe('198.51.100.7/24')
  expect(field().getAttribute('aria-invalid')).toBe('true')
})

test('an admin ends an allowance early, and can undo that [INST-16]', async () => {
  await open(anAllowance(), anAllowance({ network: null, factor: 2 }))
  expect(rows()).toHaveLength(2)
  const end = screen.getByRole('button', { name: 'End now the allowance for Everybody' })
  end.focus()
  fireEvent.click(end)
  expect(await screen.findByText('The allowance for Everybody has ended')).toBeTruthy()
  await waitFor(() => expect(rows()).toHaveLength(1))
  expect(document.activeElement).toBe(screen.getByRole('button', { name: /^End now/ }))
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('The allowance for Everybody holds again')).toBeTruthy()
  expect(server.inputs(addAllowance)).toEqual([
    { network: null, factor: 2, until: '2099-06-10T13:00:00.000Z' },
  ])
})

test('an admin with 20 allowances is told to end one before adding another [INST-16]', async () => {
  await open(...Array.from({ length: 20 }, () => anAllowance()))
  expect(screen.getByText(/^There are 20 allowances/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Add' })).toBeNull()
})

test('an admin whose allowances cannot be loaded reads so and tries again [INST-16]', async () => {
  server.refuse(listAllowances, 'NotAllowed')
  show(<AdminPage />, { at: '/admin?part=limits', user: admin })
  expect(await screen.findByText('The allowances could not be loaded.')).toBeTruthy()
  server.on(listAllowances, [])
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('The usual limits hold for everybody')).toBeTruthy()
})

test.each<[Parameters<typeof endOfAllowance>[0], string, object]>([
  ['3', '', { until: '2025-06-10T15:00:00.000Z' }],
  ['day', '', { error: 'Please choose a day.' }],
  ['day', '2025-06-09', { error: 'Please choose a time that is still to come.' }],
  ['day', '2025-09-30', { error: 'Please choose a time within 90 days.' }],
])('the end %j with the day %j is %j [INST-16]', (choice, day, end) => {
  expect(endOfAllowance(choice, { day, now: new Date('2025-06-10T12:00:00Z') })).toEqual(end)
})

test('an allowance lasts to the end of its last day [INST-16]', () => {
  const end = endOfAllowance('day', { day: '2025-06-10', now: new Date('2025-06-10T12:00:00Z') })
  expect(end).toEqual({ until: new Date('2025-06-11T00:00').toISOString() })
})
