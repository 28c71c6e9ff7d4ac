import { type DraftKey, type DraftOfTab, draftsOf, forgetDrafts, keepDraft } from './drafts.ts'
import { openTabs, tabId, whenTabCloses } from './tab.ts'

/** A text on the server, or for a guest in `localStorage`. The version is an instant, null while nothing is stored. */
export interface StoredText {
  text: string
  version: string | null
}

/** Thrown by a `Save` whose base is not the stored version any more. The save has stored nothing. */
export class ConflictError extends Error {
  readonly current: StoredText

  constructor(current: StoredText) {
    super('The text was changed elsewhere since this edit started')
    this.current = current
  }
}

/** Saves a text whose edit started from the version `base`. Throws `ConflictError` when another version is stored. */
export type Save = (text: string, base: string | null) => Promise<StoredText>

/** The table at `Manuscript` explains the states. */
export type EditorState =
  'loading' | 'unchanged' | 'changed' | 'draftStored' | 'draftFailed' | 'saving' | 'saved' | 'failed'

/** Two versions of one text. The writer decides which one stays. */
export interface TextConflict {
  here: string
  other: string
  /** Whether the other version is saved. If not, it is the draft of a closed tab. */
  isSaved: boolean
}

export interface Snapshot {
  text: string
  state: EditorState
  savedAt: Date | null
  error: unknown
  /** While it is set, `save` does nothing. Drafts are still written. */
  conflict: TextConflict | null
  /** Whether at least one other open tab has a draft of this text. */
  hasDraftInOtherTab: boolean
}

/**
 * A text in an editor. Typed text survives a reload, a crash, a failed save and an expired session, unless the browser
 * cannot store the draft (`draftFailed`).
 *
 * A text can be in three places: in the editor (`#snapshot.text`), as the draft of this tab (IndexedDB, `drafts.ts`), and
 * stored (on the server, or for a guest in `localStorage`). Each change of the editor is written to the draft at once.
 *
 * | state         | the text in the editor                              | the draft of this tab                       |
 * | ------------- | --------------------------------------------------- | ------------------------------------------- |
 * | `loading`     | is empty: stored text and drafts are being read     | none, or from an earlier editor of the text |
 * | `unchanged`   | equals the stored text                              | none                                        |
 * | `changed`     | was changed after the last write of the draft       | is being written                            |
 * | `draftStored` | is not saved                                        | has the same text                           |
 * | `draftFailed` | is not saved, and is only in this page              | could not be written                        |
 * | `saving`      | is being saved                                      | stays                                       |
 * | `saved`       | was saved by this editor and equals the stored text | is being removed, or removed                |
 * | `failed`      | could not be saved                                  | stays                                       |
 *
 * When drafts are restored and removed:
 *
 * - The draft of this tab is removed when the text in the editor equals the stored text, and only then.
 * - The draft of a closed tab is restored. A reload counts as a closed tab. The draft is done with when its text is in the
 *   editor, when its text is stored, or when the writer has ended a conflict about it. It is not removed yet: a crash
 *   would then lose the text in the editor. It is removed as soon as that text is in the draft of this tab, or is stored.
 * - The draft of another open tab stays as it is.
 * - Logging out removes all drafts of the person (`forgetDraftsOf`).
 *
 * A conflict starts in two cases: a save finds a newer stored version, or a draft is restored while the editor has another
 * unsaved text. Neither version is replaced until the writer chooses.
 */
export class Manuscript {
  #snapshot: Snapshot = {
    text: '',
    state: 'loading',
    savedAt: null,
    error: null,
    conflict: null,
    hasDraftInOtherTab: false,
  }
  #stored: StoredText = { text: '', version: null }
  /** The stored version from which the edit started. */
  #base: string | null = null
  readonly #storedIsLoaded = Promise.withResolvers<void>()
  #isSaving = false
  /** The other version of the conflict: the stored text, or the draft of a closed tab. */
  #other: StoredText | DraftOfTab | null = null
  /** Drafts of closed tabs that are restored after the conflict. */
  readonly #waitingDrafts: DraftOfTab[] = []
  /** Drafts of closed tabs that are done with. The next write of the draft of this tab removes them. */
  #draftsToRemove: DraftKey[] = []
  /** The running writes of the draft, one after the other. */
  #draftWrites: Promise<void> | null = null
  /** The text was changed after the last write of the draft began. */
  #isDraftOutdated = false
  readonly #listeners = new Set<() => void>()
  readonly #owner: string
  readonly #place: string
  readonly #unsavedCopy: string | undefined

  /**
   * The place is unique among all texts of a person, such as `kind/2025-06-10`. The unsaved copy is a text that the caller
   * keeps outside of the drafts; it is restored when there are no drafts.
   */
  constructor(owner: string, place: string, unsavedCopy?: string) {
    this.#owner = owner
    this.#place = place
    this.#unsavedCopy = unsavedCopy
  }

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  readonly snapshot = (): Snapshot => this.#snapshot

  /** Restores drafts once the stored text is known. Returns a function that cancels the restore. */
  restoreDrafts(): () => void {
    const closing = new AbortController()
    void this.#restoreDrafts(closing.signal)
    return () => closing.abort()
  }

  /** Sets the stored text when it is first read and after each later read. Unsaved text stays as it is. */
  setStored(stored: StoredText): void {
    const isOlder = (stored.version ?? '') < (this.#stored.version ?? '')
    if (isOlder) return
    const wasAsStored = this.#isAsStored
    this.#stored = stored
    this.#storedIsLoaded.resolve()
    if (this.#snapshot.state === 'loading' || this.#isSaving) return
    if (!wasAsStored && !this.#isAsStored) return
    this.#showStored()
    void this.#writeDraft()
  }

  change(text: string): void {
    if (this.#snapshot.state === 'loading' || text === this.#snapshot.text) return
    this.#update({ text, state: 'changed', error: null })
    void this.#writeDraft()
  }

  /**
   * Returns true when the text in the editor was stored. Returns false also when the text changed during the save.
   */
  async save(save: Save): Promise<boolean> {
    if (this.#snapshot.state === 'loading' || this.#snapshot.conflict !== null || this.#isSaving) return false
    const { text } = this.#snapshot
    this.#isSaving = true
    this.#update({ state: 'saving', error: null })
    try {
      this.#afterSave(text, await save(text, this.#base))
    } catch (error) {
      // An earlier save may have succeeded although its answer was lost. Then the stored text is this text, and there is no
      // conflict.
      if (error instanceof ConflictError && error.current.text === text) this.#afterSave(text, error.current)
      else if (error instanceof ConflictError) this.#startConflict(error.current)
      else this.#update({ state: 'failed', error })
    }
    this.#isSaving = false
    const wasStored = this.#snapshot.state === 'saved'
    await this.#writeDraft()
    return wasStored
  }

  /** Waits until the draft of this tab has the text: another editor of the same text may be opened then. */
  async draftWritten(): Promise<void> {
    await this.#draftWrites
  }

  /** Ends the conflict: the text in the editor stays, and the other version is discarded. */
  keepThis(): Promise<void> {
    return this.#endConflict((other) => {
      if (isStoredText(other)) this.#base = other.version
    })
  }

  /** Ends the conflict: the other version replaces the text in the editor. */
  takeOther(): Promise<void> {
    return this.#endConflict((other) => {
      this.#base = isStoredText(other) ? other.version : other.base
      this.#update({ text: other.text })
    })
  }

  /** Ends the conflict: the text becomes the other version followed by the text in the editor. It is not saved yet. */
  keepBoth(): Promise<void> {
    return this.#endConflict((other) => {
      if (isStoredText(other)) this.#base = other.version
      this.#update({ text: `${other.text}\n\n${this.#snapshot.text}` })
    })
  }

  /** Hides the conflict. A stored version is found again at the next save, a draft when the text is opened again. */
  postponeConflict(): void {
    this.#other = null
    this.#update({ conflict: null })
  }

  async #restoreDrafts(closing: AbortSignal) {
    const drafts = await draftsOf(this.#owner, this.#place).catch(() => [])
    await this.#storedIsLoaded.promise
    if (closing.aborted || this.#snapshot.state !== 'loading') return
    this.#showStored()
    const others = drafts.filter((draft) => draft.tab !== tabId)
    const own = drafts.length === 0 ? this.#copyAsDraft() : drafts.find((draft) => draft.tab === tabId)
    if (own) await this.#restoreDraft(own)
    const open = new Set(await openTabs(others.map((draft) => draft.tab)))
    if (closing.aborted) return
    this.#update({ hasDraftInOtherTab: open.size > 0 })
    for (const draft of others) {
      if (open.has(draft.tab))
        whenTabCloses(draft.tab, closing, () => void this.#restoreLatestDraft(draft.tab, open))
      else await this.#restoreDraft(draft)
    }
  }

  /** Reads the draft of a closed tab again, because the tab may have changed it since the last read. */
  async #restoreLatestDraft(closedTab: string, open: Set<string>) {
    const drafts = await draftsOf(this.#owner, this.#place)
    const draftOfClosedTab = drafts.find((draft) => draft.tab === closedTab)
    open.delete(closedTab)
    this.#update({ hasDraftInOtherTab: open.size > 0 })
    if (draftOfClosedTab) await this.#restoreDraft(draftOfClosedTab)
  }

  /** Its base is null, so that a save asks the writer when any text is stored. */
  #copyAsDraft(): DraftOfTab | undefined {
    const text = this.#unsavedCopy
    return text === undefined ? undefined : { tab: tabId, text, base: null }
  }

  async #restoreDraft(draft: DraftOfTab) {
    const isKnown = draft.text === this.#snapshot.text || draft.text === this.#stored.text
    if (!isKnown && (!this.#isAsStored || this.#isSaving)) this.#startConflict(draft)
    else {
      if (!isKnown) {
        this.#base = draft.base
        this.#update({ text: draft.text, state: 'changed' })
      }
      this.#removeAfterNextWrite(draft)
    }
    await this.#writeDraft()
  }

  /** The caller then writes the draft of this tab, which also sets the state. */
  #startConflict(other: StoredText | DraftOfTab) {
    if (isStoredText(other)) this.#stored = other
    if (this.#other !== null) {
      if (!isStoredText(other)) this.#waitingDrafts.push(other)
      return
    }
    this.#other = other
    const conflict = { here: this.#snapshot.text, other: other.text, isSaved: isStoredText(other) }
    this.#update({ conflict, state: 'changed' })
  }

  async #endConflict(choose: (other: StoredText | DraftOfTab) => void) {
    const other = this.#other
    if (other === null) return
    this.#other = null
    choose(other)
    this.#update({ conflict: null, state: 'changed' })
    if (!isStoredText(other)) this.#removeAfterNextWrite(other)
    await this.#writeDraft()
    const next = this.#waitingDrafts.shift()
    if (next) await this.#restoreDraft(next)
  }

  /** Marks the draft of a closed tab for removal. A draft of this tab is not marked: the next write replaces it. */
  #removeAfterNextWrite({ tab }: DraftOfTab) {
    if (tab !== tabId) this.#draftsToRemove.push([this.#owner, this.#place, tab])
  }

  #afterSave(sent: string, stored: StoredText) {
    this.#stored = stored
    this.#base = stored.version
    const isUnchangedSinceSend = this.#snapshot.text === sent
    this.#update({ savedAt: new Date(), ...(isUnchangedSinceSend && { text: stored.text, state: 'saved' }) })
  }

  #showStored() {
    this.#base = this.#stored.version
    this.#update({ text: this.#stored.text, state: 'unchanged', error: null })
  }

  /** Writes the draft of this tab, or removes it when the text is stored. Ends when the draft is up to date. */
  #writeDraft(): Promise<void> {
    this.#isDraftOutdated = true
    this.#draftWrites ??= this.#writeDraftUntilCurrent()
    return this.#draftWrites
  }

  async #writeDraftUntilCurrent() {
    let reached: EditorState = 'changed'
    while (this.#isDraftOutdated) {
      this.#isDraftOutdated = false
      reached = await this.#writeDraftOnce()
    }
    this.#draftWrites = null
    if (this.#snapshot.state === 'changed') this.#update({ state: reached })
  }

  async #writeDraftOnce(): Promise<EditorState> {
    const { text } = this.#snapshot
    const isAsStored = this.#isAsStored
    const toRemove = [...this.#draftsToRemove]
    const own: DraftKey = [this.#owner, this.#place, tabId]
    try {
      if (!isAsStored) await keepDraft(own, { text, base: this.#base })
    } catch {
      return 'draftFailed'
    }
    await this.#removeDrafts(isAsStored ? [own, ...toRemove] : toRemove)
    return isAsStored ? 'unchanged' : 'draftStored'
  }

  /** A draft that cannot be removed now is removed after a later write. */
  async #removeDrafts(drafts: DraftKey[]) {
    if (drafts.length === 0) return
    try {
      await forgetDrafts(drafts)
      this.#draftsToRemove = this.#draftsToRemove.filter((draft) => !drafts.includes(draft))
    } catch (error) {
      console.error('Failed to remove drafts', error)
    }
  }

  /** Whether the text equals the stored text, in the states `unchanged` and `saved`. */
  get #isAsStored() {
    return this.#snapshot.text === this.#stored.text
  }

  #update(part: Partial<Snapshot>) {
    this.#snapshot = { ...this.#snapshot, ...part }
    for (const listener of this.#listeners) listener()
  }
}

const isStoredText = (other: StoredText | DraftOfTab): other is StoredText => 'version' in other
