import type { Page } from '@playwright/test'
import { expect } from './test.ts'

export const day = '2025-06-10'
export const sheet = (page: Page) => page.getByRole('textbox', { name: 'Entry of Tuesday, June 10, 2025' })
export const save = (page: Page) => page.getByRole('button', { name: 'Save Entry' })
export const edit = (page: Page) => page.getByRole('button', { name: 'Edit Entry' })

/** Writes a text into the sheet and waits until the browser has stored it. */
export async function write(page: Page, text: string) {
  await expect(sheet(page)).toBeEditable()
  await sheet(page).fill(text)
  await expect(page.getByText('Safe on this device')).toBeVisible()
}
