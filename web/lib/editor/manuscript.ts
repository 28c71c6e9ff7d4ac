import { unwritten, whenDraftsWritten } from './all-drafts.ts'
import type { DraftKey, DraftOfTab, RequestedSave } from './draft.ts'
import { answered, draftsOf, forgetDrafts, keepDraft } from './drafts.ts'
import { openManuscripts, announceUnsentChange } from './open-manuscripts.ts'
import {
  ConflictError,
  isStoredText,
  type Save,
  saveOnce,
  type SaveOptions,
  type StoredText,
} from './save.ts'
import { type EditorState, emptySnapshot, type Snapshot } from './snapshot.ts'
import { openTabs, tabId, whenTabCloses } from './tab.ts'
import { afterFailure, isSentLater, restoredSaveOf } from './requested-save.ts'

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
  #snapshot = emptySnapshot
  #stored: StoredText = { text: '', version: null }
  /** The stored version from which the edit started. */
  #base: string | null = null
  readonly #storedIsLoaded = Promise.withResolvers<void>()
  saving: Promise<boolean> | null = null
  /** The text that the running or last save was asked to store. */
  #savingText = ''
  #retry: () => Promise<unknown> = async () => null
  /** Since the person has asked to save, until the text is stored or a conflict is ended. The draft has the same as `waiting`. */
  #requestedSave: RequestedSave | undefined
  /** The other version of the conflict: the stored text, or the draft of a closed tab. */
  #other: StoredText | DraftOfTab | null = null
  /** Drafts of closed tabs that are restored after the conflict. */
  readonly #draftsAfterConflict: DraftOfTab[] = []
  /** Drafts of closed tabs that are done with. The next write of the draft of this tab removes them. */
  #draftsToRemove: DraftKey[] = []
  /** The running writes of the draft, one after the other. */
  #draftWrites: Promise<void> | null = null
  /** The text was changed after the last write of the draft began. */
  #isDraftOutdated = false
  readonly #listeners = new Set<() => void>()
  readonly owner: string
  readonly place: string
  readonly #unsavedCopy: string | undefined
  readonly #drafts: Promise<DraftOfTab[]>

  /**
   * The place is unique among all texts of a person, such as `kind/2025-06-10`. The unsaved copy is a text that the caller
   * keeps outside of the drafts; it is restored when there are no drafts.
   */
  constructor(owner: string, place: string, unsavedCopy?: string) {
    this.owner = owner
    this.place = place
    this.#unsavedCopy = unsavedCopy
    // Now and not in `restoreDrafts`: the browser reads while the page is rendered, and the text can be written sooner. An editor
    // of the same text that is just being closed may still write its draft.
    this.#drafts = whenDraftsWritten(place)
      .then(() => draftsOf(owner, place))
      .catch(() => [])
  }

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  readonly snapshot = (): Snapshot => this.#snapshot

  /** Restores drafts once the stored text is known. Returns a function that cancels the restore. */
  restoreDrafts(): () => void {
    const closing = new AbortController()
    openManuscripts.add(this)
    void this.#restoreDrafts(closing.signal)
    return () => {
      closing.abort()
      openManuscripts.delete(this)
    }
  }

  /** Sets the stored text when it is first read and after each later read. Unsaved text stays as it is. */
  setStored(stored: StoredText): void {
    const isOlder = (stored.version ?? '') < (this.#stored.version ?? '')
    if (isOlder) return
    const wasAsStored = this.#isAsStored
    this.#stored = stored
    this.#storedIsLoaded.resolve()
    const isBusy = this.#snapshot.state === 'loading' || this.saving !== null
    if (isBusy) return
    if (!wasAsStored && !this.#isAsStored) return this.#askAgain()
    this.#showStored()
    void this.#writeDraft()
  }

  change(text: string): void {
    if (this.#snapshot.state === 'loading' || text === this.#snapshot.text) return
    this.#update({ text, state: 'changed', error: null })
    void this.#writeDraft()
  }

  /**
   * Returns whether the text in the editor is stored now: false also when it changed during the save. With `sendsLater` a save that
   * starts while another one sends an older text waits for that one.
   */
  async save(save: Save, options: SaveOptions = {}): Promise<boolean> {
    const { sendsLater, isRetry } = options
    const isAskedAnew = sendsLater && !isRetry && this.#snapshot.text !== this.#savingText
    if (this.saving && isAskedAnew) await this.saving
    if (this.#snapshot.state === 'loading' || this.#snapshot.conflict !== null || this.saving) return false
    return (this.saving = this.#save(save, options))
  }

  /** Sets the function that saves again without the person. It returns the failure, or null. */
  readonly setRetry = (retry: () => Promise<unknown>) => void (this.#retry = retry)
  readonly retry = () => this.#retry()

  /** The save to repeat, also when the browser could not store it. Undefined while the person has to decide about the text. */
  get saveToRetry(): RequestedSave | undefined {
    return this.#snapshot.conflict === null && isSentLater(this.#requestedSave)
      ? this.#requestedSave
      : undefined
  }

  /** Waits until the draft of this tab has the text, or could not be written. Another editor of the text may be opened then. */
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

  async #save(save: Save, { sendsLater = false, isRetry = false }: SaveOptions) {
    const { text } = this.#snapshot
    this.#savingText = text
    const before = this.#requestedSave
    if (!isRetry) this.#update({ state: 'saving', error: null })
    let now: RequestedSave | undefined
    /** Written before the request, because the page may end before the answer. */
    const isSending = (sent: string) => {
      if (!sendsLater || this.#isAsStored) return
      this.#requestedSave = now = { since: before?.since ?? new Date().toISOString(), sent }
      void this.#writeDraft()
    }
    const { sent = text } = before ?? {}
    try {
      if (sendsLater && sent !== text) {
        isSending(sent)
        this.#afterSave(sent, await saveOnce(save, sent, this.#base))
      }
      isSending(text)
      this.#afterSave(text, await saveOnce(save, text, this.#base))
      // The page has said that the text waits to be sent, also of what was typed during a retry.
      if (isRetry && before && !this.#isAsStored) this.#requestedSave = { since: before.since }
    } catch (error) {
      if (now) this.#requestedSave = afterFailure(before, now, error)
      if (error instanceof ConflictError) this.#startConflict(error.current)
      else this.#update({ state: 'failed', error })
    }
    this.saving = null
    const wasStored = this.#snapshot.state === 'saved'
    await this.#writeDraft().then(announceUnsentChange)
    return wasStored
  }

  async #restoreDrafts(closing: AbortSignal) {
    let drafts = await answered(this.#drafts).catch(() => undefined)
    await this.#storedIsLoaded.promise
    if (closing.aborted || this.#snapshot.state !== 'loading') return
    this.#showStored()
    // The base of the copy is null, so that a save asks the writer when any text is stored.
    if (!drafts?.length && this.#unsavedCopy !== undefined)
      await this.#restoreDraft({ tab: tabId, text: this.#unsavedCopy, base: null })
    drafts ??= await this.#lateDrafts()
    if (closing.aborted) return
    const others = drafts.filter((draft) => draft.tab !== tabId)
    const own = drafts.find((draft) => draft.tab === tabId)
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

  /** The browser has answered late: writes the draft of what was typed meanwhile. */
  async #lateDrafts() {
    const drafts = await this.#drafts
    if (this.#snapshot.state === 'draftFailed') this.#update({ state: 'changed' })
    void this.#writeDraft()
    return drafts
  }

  /** Reads the draft of a closed tab again, because the tab may have changed it since the last read. */
  async #restoreLatestDraft(closedTab: string, open: Set<string>) {
    const drafts = await draftsOf(this.owner, this.place)
    const draftOfClosedTab = drafts.find((draft) => draft.tab === closedTab)
    open.delete(closedTab)
    this.#update({ hasDraftInOtherTab: open.size > 0 })
    if (draftOfClosedTab) await this.#restoreDraft(draftOfClosedTab)
  }

  async #restoreDraft(draft: DraftOfTab) {
    const isKnown = draft.text === this.#snapshot.text || draft.text === this.#stored.text
    if (!isKnown && (!this.#isAsStored || this.saving)) this.#startConflict(draft)
    else {
      if (!isKnown) {
        this.#base = draft.base
        this.#update({ text: draft.text, state: 'changed' })
      }
      if (!this.#isAsStored) this.#requestedSave ??= restoredSaveOf(draft)
      this.#removeAfterNextWrite(draft)
      this.#askAgain()
    }
    await this.#writeDraft().then(announceUnsentChange)
  }

  /** The caller then writes the draft of this tab, which also sets the state. */
  #startConflict(other: StoredText | DraftOfTab) {
    if (isStoredText(other)) this.#stored = other
    if (this.#other !== null) {
      if (!isStoredText(other)) this.#draftsAfterConflict.push(other)
      return
    }
    this.#other = other
    const conflict = { here: this.#snapshot.text, other: other.text, isSaved: isStoredText(other) }
    this.#update({ conflict, state: 'changed' })
  }

  /** Shows a conflict that was found when the text was sent without this editor. */
  #askAgain() {
    if (this.#requestedSave?.hasConflict && this.#base !== this.#stored.version)
      this.#startConflict(this.#stored)
  }

  async #endConflict(choose: (other: StoredText | DraftOfTab) => void) {
    const other = this.#other
    if (other === null) return
    this.#other = null
    choose(other)
    this.#requestedSave = undefined
    this.#update({ conflict: null, state: 'changed' })
    if (!isStoredText(other)) this.#removeAfterNextWrite(other)
    await this.#writeDraft().then(announceUnsentChange)
    const next = this.#draftsAfterConflict.shift()
    if (next) await this.#restoreDraft(next)
  }

  /** Marks the draft of a closed tab for removal. A draft of this tab is not marked: the next write replaces it. */
  #removeAfterNextWrite({ tab }: DraftOfTab) {
    if (tab !== tabId) this.#draftsToRemove.push([this.owner, this.place, tab])
  }

  #afterSave(sent: string, stored: StoredText) {
    this.#stored = stored
    this.#base = stored.version
    this.#requestedSave = undefined
    const isUnchangedSinceSend = this.#snapshot.text === sent
    this.#update({ savedAt: new Date(), ...(isUnchangedSinceSend && { text: stored.text, state: 'saved' }) })
  }

  #showStored() {
    this.#base = this.#stored.version
    this.#requestedSave = undefined
    this.#update({ text: this.#stored.text, state: 'unchanged', error: null })
  }

  /** Writes the draft of this tab, or removes it when the text is stored. Ends when the draft is up to date. */
  #writeDraft(): Promise<void> {
    this.#isDraftOutdated = true
    unwritten.add(this)
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
    if (reached !== 'draftFailed') unwritten.delete(this)
    this.#update({
      isSentLater: reached === 'draftStored' && isSentLater(this.#requestedSave),
      ...(this.#snapshot.state === 'changed' && { state: reached }),
    })
  }

  async #writeDraftOnce(): Promise<EditorState> {
    const { text } = this.#snapshot
    const isAsStored = this.#isAsStored
    const toRemove = [...this.#draftsToRemove]
    const own: DraftKey = [this.owner, this.place, tabId]
    try {
      const waiting = this.#requestedSave && { waiting: this.#requestedSave }
      if (!isAsStored) await keepDraft(own, { text, base: this.#base, ...waiting })
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
