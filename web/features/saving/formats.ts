import type { SavedText } from '#contract/saving/saved-text.ts'

export type Format = 'epub' | 'html' | 'md' | 'pdf' | 'txt'

export type IconUse = 'always' | 'on phones' | 'never'

/** How a maker of a file reports progress and is cancelled. */
export interface SavingTask {
  /** What is done, in words, and as a share from 0 to 1 when the whole is known. */
  onProgress: (text: string, share?: number) => void
  signal: AbortSignal
}

export interface SaveAsProps {
  /** What is saved, such as 'the post'. */
  what: string
  formats: readonly Format[]
  /** Reads the text once a format is chosen. */
  read: (work: SavingTask) => SavedText | Promise<SavedText>
  /** Formats of which the server makes the file, with the address. */
  addresses?: Partial<Record<Format, string>>
  /** Stands over the formats. It is asked for whenever the menu opens. */
  heading?: () => string
  /** Where the button is an icon without text. */
  icon?: IconUse
}
