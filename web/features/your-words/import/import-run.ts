import { applyItem } from '#contract/imports/apply.ts'
import {
  countWrites,
  type ImportPlan,
  type PlannedItem,
  planImport,
  totalsOf,
} from '#contract/imports/plan.ts'
import { ImportRefused, readImport } from '#contract/imports/read-import.ts'
import { importReport } from '#contract/imports/report.ts'
import { accountTarget, type RepeatCall, readStored } from './account.ts'
import { RequestError } from '#web/lib/request.ts'
import {
  type ChosenFile,
  importFailed,
  type ImportResult,
  type ImportState,
  type ToImportWorker,
} from './import-state.ts'
import { CallRepeater } from './call-repeater.ts'

const problemsShown = 20
/** So many saves are sent at once. */
const batchSize = 4

/**
 * One import, from the files to the last save. It runs in a worker, so that the texts of a long file do not block the page.
 * `show` gets each new state.
 */
export class ImportRun {
  readonly #show: (state: ImportState) => void
  readonly #callRepeater: CallRepeater
  readonly #repeatCall: RepeatCall = (call) => this.#callRepeater.run(call)
  #personId = ''
  #plan: ImportPlan | undefined
  #state: ImportState = { step: 'reading', done: 0, of: 0 }

  constructor(show: (state: ImportState) => void) {
    this.#show = show
    this.#callRepeater = new CallRepeater((pause) => {
      if ('pause' in this.#state) this.#change({ ...this.#state, pause })
    })
  }

  async take(message: ToImportWorker): Promise<void> {
    try {
      if (message === 'continue') this.#callRepeater.goOnSignedIn()
      else if (message === 'apply') await this.#applyOnce()
      else await this.#read(message.read, message.personId)
    } catch (error) {
      const reason = reasonOf(error)
      if (reason === importFailed) console.error('The import failed', error)
      this.#change({ step: 'refused', reason })
    }
  }

  async #read(files: ChosenFile[], personId: string) {
    this.#personId = personId
    const file = await readImport(files, (done, of) => this.#change({ step: 'reading', done, of }))
    this.#change({ step: 'comparing', pause: null })
    this.#plan = planImport(file, await readStored(file, this.#importing))
    this.#change({ step: 'preview', result: resultOf(this.#plan) })
  }

  /** A second press of the button may arrive before the page shows the next step. */
  async #applyOnce() {
    const plan = this.#plan
    this.#plan = undefined
    if (plan !== undefined) await this.#apply(plan)
  }

  async #apply({ format, items }: ImportPlan) {
    const target = accountTarget(this.#importing)
    const applied = items.filter(({ write }) => write === undefined)
    const toWrite = items.filter(({ write }) => write !== undefined)
    const of = toWrite.length
    let done = 0
    this.#change({ step: 'importing', done, of, pause: null })
    const save = async (item: PlannedItem) => {
      applied.push(await applyItem(item, format, target))
      done++
      this.#change({ step: 'importing', done, of, pause: null })
    }
    for (let from = 0; from < of; from += batchSize)
      await Promise.all(toWrite.slice(from, from + batchSize).map(save))
    this.#change({ step: 'done', result: resultOf({ format, items: applied }) })
  }

  get #importing() {
    return { personId: this.#personId, repeatCall: this.#repeatCall }
  }

  #change(state: ImportState) {
    this.#state = state
    this.#show(state)
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof ImportRefused) return error.message
  if (error instanceof RequestError && error.code === 'OtherPerson')
    return 'Somebody else is signed in now. Nothing more was imported.'
  return importFailed
}

function resultOf(plan: ImportPlan): ImportResult {
  const { counts, problems } = totalsOf(plan)
  return {
    format: plan.format,
    counts,
    writes: countWrites(plan),
    problems: problems.slice(0, problemsShown),
    problemCount: problems.length,
    report: new Blob([importReport(counts, problems)], { type: 'text/plain' }),
  }
}
