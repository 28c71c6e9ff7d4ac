import type { RoomPassage } from '#contract/rooms/room.ts'

/** The answers that a page shows at first. They are embedded in the HTML, and the server renders the page from them. */
export interface PageData {
  /** The name of the page in the header. */
  title: string
  /** The answers of calls by their addresses, such as `/api/config`. */
  answers: Record<string, unknown>
  /** The first pages of long lists by the addresses of their calls. */
  lists: Record<string, FirstPage>
  /** All passages of a finished story by the address of the call for its passages. */
  story?: { path: string; passages: RoomPassage[] }
  /** The page is the 404 page, whatever its address. */
  isMissing?: true
}

export interface FirstPage {
  items: unknown[]
  /** The cursor of the next page; null at the end of the list. */
  nextBefore: string | null
}

/** Renders the page of an address, such as `/dashboard?date=2025-06-08`, as HTML for the element with the id `root`. */
export type RenderPage = (address: string, data: PageData) => Promise<string>
