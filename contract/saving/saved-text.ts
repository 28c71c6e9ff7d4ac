/** A text that a person saves as a file, in any format: a post, a story, a conversation or a month of a diary. */
export interface SavedText {
  /** The text from which the names of its files are made. */
  fileTitle: string
  /** One line. */
  title: string
  /** Stands below the title as it was typed. Empty for a text without one. */
  introduction: string
  /** One line with the authors or the time. */
  note: string
  /** At least one. */
  parts: SavedPart[]
  /** The authors of a text of many, and what each has written. Empty for other texts. */
  contributors: { name: string; contribution: string }[]
  /** Missing: the text cannot be saved as an EPUB. */
  book?: BookMetadata
}

export interface SavedPart {
  /** One line, such as the author of the part; null for a part without a heading. */
  heading: string | null
  /** Its author is that of the part before: a format that sets headings apart from the text does not repeat the heading. */
  isContinued?: boolean
  /** As it was typed. */
  content: string
}

/** What an EPUB needs beside the text. */
export interface BookMetadata {
  /** A URN, which no other book has. */
  id: string
  /** The instant of the last change. */
  changedAt: string
  /** The name of the text in the table of contents, such as 'Story'. */
  textTitle: string
  /** Whether the table of contents lists the headings of the parts too. */
  listsParts: boolean
  /** Further files for programs, by path. */
  files?: Record<string, string>
}

/** A text on one line, for a title or a heading. */
export const oneLine = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
