import { type DraftOfTab, draftsOf, forgetDraft, keepDraft } from './drafts.ts'
import { openTabs, tab, whenClosed } from './tab.ts'

/** What is kept where a text is saved. Versions are instants; `version` is null while nothing is kept. */
export interface Stored {
  text: string
  version: string | null
}

/** Thrown by a save whose base is no longer what is stored; nothing was stored then. */
export class Conflict extends Error {
  readonly current: Stored

  constructor(current: Stored) {
    super('The stored text is another one by now')
    this.current = current
  }
}

/** Stores a text that grew from the version `base`; throws `Conflict` when that is not the stored one any more. */
export type Save = (text: string, base: string | null) => Promise<Stored>

/**
 * - `opening`: what is stored, or was typed here before, is still being read
 * - `unchanged`: as it is stored
 * - `typed`: on its way into this browser's storage; `safe`: there; `unkept`: this browser cannot keep it
 * - `saving`, `saved`, `failed`: on its way to where it is saved, there, not there
 */
export type EditorState =
  'opening' | 'unchanged' | 'typed' | 'safe' | 'unkept' | 'saving' | 'saved' | 'failed'

/** Two texts for one place: only the writer knows which one stays. */
export interface Question {
  mine: string
  theirs: string
  /** The other text is saved already; else it was typed in a tab that is closed now. */
  isSaved: boolean
}

export interface Snapshot {
  text: string
  state: EditorState
  savedAt: Date | null
  error: unknown
  question: Question | null
  /** Another tab holds an unsaved text for this place. */
  isOpenElsewhere: boolean
}

/**
 * One text while it is written. Every change goes into this browser's storage at once and stays there until the text is
 * saved, through reloads, crashes and expired sessions; what was typed in a tab that is gone is taken over. Two texts
 * for one place end in a question, never in one silently replacing the other.
 */
export class Manuscript {
  #snapshot: Snapshot = {
    text: '',
    state: 'opening',
    savedAt: null,
    error: null,
    question: null,
    isOpenElsewhere: false,
  }
  #stored: Stored = { text: '', version: null }
  /** The version that the text grew from. */
  #base: string | null = null
  readonly #isStoredKnown = Promise.withResolvers<void>()
  #isSaving = false
  /** Of the question that is asked: the stored text, or the draft of a closed tab. */
  #theirs: Stored | DraftOfTab | null = null
  /** Drafts of closed tabs that wait for the question to be answered. */
  readonly #waiting: DraftOfTab[] = []
  #keeping: Promise<void> | null = null
  #isKeptTooEarly = false
  readonly #listeners = new Set<() => void>()
  readonly #owner: string
  readonly #place: string

  /** The place is unique among all texts of a person, such as `diary/2025-06-10`. */
  constructor(owner: string, place: string) {
    this.#owner = owner
    this.#place = place
  }

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  readonly snapshot = (): Snapshot => this.#snapshot

  /** Takes up what was typed here before, once it is known what is stored. Answers how to let go of the place. */
  open(): () => void {
    const closing = new AbortController()
    void this.#takeUp(closing.signal)
    return () => closing.abort()
  }

  /** Tells what is stored, once that is known and whenever it is read anew. A text in work stays as it is. */
  setStored(stored: Stored): void {
    const isOlder = (stored.version ?? '') < (this.#stored.version ?? '')
    if (isOlder) return
    const wasUnchanged = this.#isUnchanged
    this.#stored = stored
    this.#isStoredKnown.resolve()
    if (this.#snapshot.state === 'opening' || this.#isSaving) return
    if (!wasUnchanged && !this.#isUnchanged) return
    this.#showStored()
    void this.#keep()
  }

  change(text: string): void {
    if (this.#snapshot.state === 'opening' || text === this.#snapshot.text) return
    this.#show({ text, state: 'typed', error: null })
    void this.#keep()
  }

  /** Answers whether the text is stored now. */
  async save(save: Save): Promise<boolean> {
    if (this.#snapshot.state === 'opening' || this.#snapshot.question !== null || this.#isSaving) return false
    const { text } = this.#snapshot
    this.#isSaving = true
    this.#show({ state: 'saving', error: null })
    try {
      this.#saved(text, await save(text, this.#base))
    } catch (error) {
      if (error instanceof Conflict && error.current.text === text) this.#saved(text, error.current)
      else if (error instanceof Conflict) this.#ask(error.current)
      else this.#show({ state: 'failed', error })
    }
    this.#isSaving = false
    const isStored = this.#snapshot.state === 'saved'
    await this.#keep()
    return isStored
  }

  /** Answers the question: the text of this page stays, the other one is given up. */
  keepMine(): Promise<void> {
    return this.#answer((theirs) => {
      if (isStored(theirs)) this.#base = theirs.version
    })
  }

  /** Answers the question: the other text takes the place of this page's one. */
  takeTheirs(): Promise<void> {
    return this.#answer((theirs) => {
      this.#base = isStored(theirs) ? theirs.version : theirs.base
      this.#show({ text: theirs.text })
    })
  }

  /** Answers the question: the two texts stand one after the other, to be put in order and saved. */
  keepBoth(): Promise<void> {
    return this.#answer((theirs) => {
      if (isStored(theirs)) this.#base = theirs.version
      this.#show({ text: `${theirs.text}\n\n${this.#snapshot.text}` })
    })
  }

  /** Puts the question off: a next save, or the next time this place is opened, asks it again. */
  putOff(): void {
    this.#theirs = null
    this.#show({ question: null })
  }

  async #takeUp(closing: AbortSignal) {
    const drafts = await draftsOf(this.#owner, this.#place).catch(() => [])
    await this.#isStoredKnown.promise
    if (closing.aborted || this.#snapshot.state !== 'opening') return
    this.#showStored()
    const others = drafts.filter((draft) => draft.tab !== tab)
    const own = drafts.find((draft) => draft.tab === tab)
    if (own) await this.#takeOver(own)
    const open = new Set(await openTabs(others.map((draft) => draft.tab)))
    if (closing.aborted) return
    this.#show({ isOpenElsewhere: open.size > 0 })
    for (const draft of others) {
      if (open.has(draft.tab)) whenClosed(draft.tab, closing, () => void this.#takeOverLatest(draft.tab))
      else await this.#takeOver(draft)
    }
  }

  /** A tab was closed: what it left is looked up again, since it wrote on in the meantime. */
  async #takeOverLatest(closedTab: string) {
    const drafts = await draftsOf(this.#owner, this.#place)
    const left = drafts.find((draft) => draft.tab === closedTab)
    this.#show({ isOpenElsewhere: false })
    if (left) await this.#takeOver(left)
  }

  async #takeOver(draft: DraftOfTab) {
    const isKnown = draft.text === this.#snapshot.text || draft.text === this.#stored.text
    if (!isKnown && !this.#isUnchanged) {
      this.#ask(draft)
      return
    }
    if (!isKnown) {
      this.#base = draft.base
      this.#show({ text: draft.text, state: 'typed' })
      await this.#keep()
    }
    await this.#forget(draft)
  }

  #ask(theirs: Stored | DraftOfTab) {
    if (this.#theirs !== null) {
      if (!isStored(theirs)) this.#waiting.push(theirs)
      return
    }
    this.#theirs = theirs
    const question = { mine: this.#snapshot.text, theirs: theirs.text, isSaved: isStored(theirs) }
    this.#show({ question, state: 'safe' })
  }

  async #answer(settle: (theirs: Stored | DraftOfTab) => void) {
    const theirs = this.#theirs
    if (theirs === null) return
    this.#theirs = null
    if (isStored(theirs)) this.#stored = theirs
    settle(theirs)
    this.#show({ question: null, state: 'typed' })
    await this.#keep()
    if (!isStored(theirs)) await this.#forget(theirs)
    const next = this.#waiting.shift()
    if (next) await this.#takeOver(next)
  }

  #saved(sent: string, stored: Stored) {
    this.#stored = stored
    this.#base = stored.version
    const isStillThat = this.#snapshot.text === sent
    this.#show({ savedAt: new Date(), ...(isStillThat && { text: stored.text, state: 'saved' }) })
  }

  #showStored() {
    this.#base = this.#stored.version
    this.#show({ text: this.#stored.text, state: 'unchanged', error: null })
  }

  /** Writes the text into this browser's storage, again when it changed meanwhile. */
  #keep(): Promise<void> {
    this.#isKeptTooEarly = true
    this.#keeping ??= this.#keepLatest()
    return this.#keeping
  }

  async #keepLatest() {
    let reached: EditorState = 'typed'
    while (this.#isKeptTooEarly) {
      this.#isKeptTooEarly = false
      reached = await this.#keepOnce()
    }
    this.#keeping = null
    if (this.#snapshot.state === 'typed') this.#show({ state: reached })
  }

  async #keepOnce(): Promise<EditorState> {
    const { text } = this.#snapshot
    const isUnchanged = this.#isUnchanged
    try {
      if (isUnchanged) await forgetDraft([this.#owner, this.#place, tab])
      else await keepDraft([this.#owner, this.#place, tab], { text, base: this.#base })
    } catch {
      if (!isUnchanged) return 'unkept'
    }
    return isUnchanged ? 'unchanged' : 'safe'
  }

  /** A draft of this page gives way to its present text; one of a closed page has to go. */
  async #forget(draft: DraftOfTab) {
    if (draft.tab === tab) await this.#keep()
    else await forgetDraft([this.#owner, this.#place, draft.tab])
  }

  get #isUnchanged() {
    return this.#snapshot.text === this.#stored.text
  }

  #show(part: Partial<Snapshot>) {
    this.#snapshot = { ...this.#snapshot, ...part }
    for (const listener of this.#listeners) listener()
  }
}

const isStored = (theirs: Stored | DraftOfTab): theirs is Stored => 'version' in theirs
