import type { BrowserContext, Page } from '@playwright/test'
import { getCalendar } from '#contract/calendar/endpoints.ts'
import { getDiary } from '#contract/diary/endpoints.ts'
import { getDraft, listDrafts } from '#contract/drafts/endpoints.ts'
import { addFriend } from '#contract/friends/endpoints.ts'
import { listMessages } from '#contract/messages/endpoints.ts'
import { listPassages } from '#contract/rooms/endpoints.ts'
import { roomPath } from '#contract/rooms/paths.ts'
import { day, save, sheet } from './diary.ts'
import { makeRoom } from './people.ts'
import { type App, expect } from './test.ts'

const kinds = ['diary', 'note', 'draft', 'message', 'passage'] as const
type Kind = (typeof kinds)[number]

const fields: Record<Kind, (page: Page) => ReturnType<Page['locator']>> = {
  diary: sheet,
  note: (page) => page.getByRole('textbox', { name: /^Note/ }),
  draft: (page) => page.getByRole('textbox', { name: 'Your text' }),
  message: (page) => page.getByPlaceholder('Write a message…'),
  passage: (page) => page.getByPlaceholder('Continue the story...'),
}

/** Saves or sends the text, as a person does. */
const sends: Record<Kind, (page: Page) => Promise<void>> = {
  diary: (page) => save(page).click(),
  note: (page) => page.getByRole('button', { name: 'Save', exact: true }).click(),
  draft: (page) => fields.draft(page).press('ControlOrMeta+s'),
  message: (page) => fields.message(page).press('Enter'),
  passage: (page) => fields.passage(page).press('Enter'),
}

/** A tab in which a person writes a text of one kind. */
class Tab {
  readonly kind: Kind
  readonly page: Page

  constructor(kind: Kind, page: Page) {
    this.kind = kind
    this.page = page
  }

  get field() {
    return fields[this.kind](this.page)
  }

  /** Types at the end of the text. */
  async type(text: string) {
    await expect(this.field).toBeEditable()
    await this.field.press('ControlOrMeta+End')
    await this.field.pressSequentially(text)
  }

  async send() {
    await sends[this.kind](this.page)
  }
}

/** A person with a friend and a room, who can write a text of each kind. */
export async function makeWriter(app: App) {
  const ana = await app.signUp()
  const ben = await app.signUp({ firstName: 'Ben', lastName: 'Okafor' })
  await ana.client.does(addFriend, { input: { friendUserId: ben.user.id } })
  const room = await makeRoom(ana)
  const paths: Record<Kind, string> = {
    diary: `/diary?day=${day}`,
    note: `/calendar?day=${day}`,
    draft: '/write',
    message: `/messages?friend=${ben.user.id}`,
    passage: roomPath(room.id),
  }
  return {
    ana,
    /** Opens a tab for each kind, in which the person can write. */
    openTabs: async (context: BrowserContext, wanted: readonly Kind[] = kinds) => {
      const tabs = {} as Record<Kind, Tab>
      const open = async (kind: Kind) => {
        const tab = (tabs[kind] = new Tab(kind, await context.newPage()))
        await tab.page.goto(paths[kind])
        await expect(tab.field).toBeEditable()
        // The part of the page that sends.
        await expect(tab.page.locator('div:has(~ #main) output')).toBeAttached()
      }
      await Promise.all(wanted.map(open))
      return tabs
    },
    /** All texts that the server has of the person. */
    stored: async (): Promise<Record<Kind, string[]>> => {
      const { client, user } = ana
      const [days, notes, drafts, messages, passages] = await Promise.all([
        client.does(getDiary),
        client.does(getCalendar),
        client.does(listDrafts),
        client.does(listMessages, { params: { friendId: ben.user.id } }),
        client.does(listPassages, { params: { id: room.id } }),
      ])
      const ofDrafts = drafts.map(({ id }) => client.does(getDraft, { params: { id } }))
      return {
        diary: days.map(({ content }) => content),
        note: notes.map(({ content }) => content),
        draft: (await Promise.all(ofDrafts)).map(({ content }) => content),
        message: messages.filter((each) => each.sender_id === user.id).map(({ content }) => content),
        passage: passages.filter(({ userId }) => userId === user.id).map(({ content }) => content),
      }
    },
  }
}

/** The same text of each kind, once. */
export const oneOfEach = (text: string): Record<Kind, string[]> => ({
  diary: [text],
  note: [text],
  draft: [text],
  message: [text],
  passage: [text],
})

export const none: Record<Kind, string[]> = { diary: [], note: [], draft: [], message: [], passage: [] }
