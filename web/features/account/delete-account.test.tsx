import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { deleteAccount } from '#contract/account/endpoints.ts'
import { hasDrafts } from '#web/lib/editor/drafts.ts'
import { passWithStorage as pass } from '#web/lib/testing.ts'
import { ana } from '#web/testing/people.ts'
import { begin, startLeaving, type } from './testing.tsx'

const { server, renderLeaving, expectNothingForgotten, expectAllForgotten } = startLeaving()

const question = 'Are you sure you want to delete your account? This action cannot be undone.'

test('a person is asked before the account is deleted, and only Delete deletes it [ACC-24 ACC-25 ACC-23]', async () => {
  const leaving = renderLeaving()
  await begin(leaving.current.removeAccount)
  expect(screen.getByRole('alertdialog').textContent).toContain(question)
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  await pass(10)
  expect(server.requests).toEqual([])
  expectNothingForgotten()

  await begin(leaving.current.removeAccount)
  fireEvent.click(screen.getByRole('button', { name: 'Delete' }))
  await pass(10)
  expect(server.requests).toEqual(['DELETE /api/delete-account'])
  expectAllForgotten()
  expect(location.assign).toHaveBeenCalledExactlyOnceWith('/')
})

test('a person with text that is not saved yet is asked before the account is deleted [ACC-23]', async () => {
  await type(ana.id)
  const leaving = renderLeaving()
  await begin(leaving.current.removeAccount)
  fireEvent.click(screen.getByRole('button', { name: 'Delete' }))
  await pass(10)
  expect(screen.getByRole('alertdialog').textContent).toContain('Some of your text is not saved yet')
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  await pass(10)
  expect(server.requests).toEqual([])
  expectNothingForgotten()
  expect(await hasDrafts(ana.id)).toBe(true)
})

test('a deletion that fails is logged, and the page forgets nothing [ERR-11]', async () => {
  const leaving = renderLeaving()
  server.refuse(deleteAccount, 'AdminStays')
  const { ended } = await begin(leaving.current.removeAccount)
  fireEvent.click(screen.getByRole('button', { name: 'Delete' }))
  await pass(10)
  expect(await ended).toMatchObject({ code: 'AdminStays' })
  expect(console.error).toHaveBeenCalledExactlyOnceWith(
    'Account deletion failed',
    expect.objectContaining({ status: 403 }),
  )
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expectNothingForgotten()
})
