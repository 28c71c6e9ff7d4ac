import { fireEvent, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { demoTipItemOf } from './tips.ts'
import { show, startTestPage } from '#web/testing/page.tsx'
import { SupportButton } from './index.ts'

const server = startTestPage()

/** One creator for each of the three demo items. */
const creators = ['a', 'b', 'c'].map((id) => ({ id, name: 'Ana Lima', category: 'Poetry' }))
const creatorOf = (tip: number) => creators.find((creator) => demoTipItemOf(creator).tipAmount === tip)!

async function openPayment(tip: number) {
  show(<SupportButton creator={creatorOf(tip)} />)
  fireEvent.click(screen.getByRole('button', { name: 'Tip or message Ana Lima' }))
  return { dialog: within(await screen.findByRole('dialog', { name: 'Support Ana Lima' })) }
}

test('the payment dialog names the creator and says that it is a demo [TIP-01 TIP-02 TIP-05]', async () => {
  const { dialog } = await openPayment(5)
  expect(dialog.getByText('This is a demo: nothing is charged.')).toBeTruthy()
  expect(dialog.getByText('Ana Lima')).toBeTruthy()
  expect(dialog.getByText('AL')).toBeTruthy()
  expect(dialog.getByText('Poetry')).toBeTruthy()
})

test.each([
  [5, 3],
  [8, 5],
  [10, 7],
])(
  'a tip of $%i and a message for $%i are a demo: a toast names creator and amount, and nothing is sent [TIP-01 TIP-03 TIP-04 TIP-06 TIP-07 TIP-10]',
  async (tip, message) => {
    const { dialog } = await openPayment(tip)
    fireEvent.click(dialog.getByRole('button', { name: `Pay $${tip}` }))
    expect(
      await screen.findByText(`Your $${tip} tip for Ana Lima is a demo: nothing was charged.`),
    ).toBeTruthy()
    expect(screen.queryByRole('dialog')).toBeNull()

    fireEvent.click(screen.getByRole('button', { name: 'Tip or message Ana Lima' }))
    fireEvent.click(await screen.findByLabelText(`A message for $${message}`))
    fireEvent.click(screen.getByRole('button', { name: `Pay $${message}` }))
    expect(
      await screen.findByText(`Messaging Ana Lima for $${message} is a demo: nothing was charged.`),
    ).toBeTruthy()
    expect(server.requests).toEqual([])
  },
)

test('a person who cancels a payment sees no toast, and nothing is sent [TIP-03 TIP-04]', async () => {
  const { dialog } = await openPayment(5)
  fireEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(screen.queryByText(/demo/)).toBeNull()
  expect(server.requests).toEqual([])
})
