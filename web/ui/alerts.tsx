import { createContext, useContext, useState, type ReactNode } from 'react'
import { AlertDialog, type Answer } from './AlertDialog.tsx'

interface Question {
  text: string
  /** The text of the confirming button, such as 'Delete'. */
  verb: string
  /** The text of a second button. */
  otherVerb?: string | undefined
  danger?: boolean
  /** Done when the verb is pressed. The dialog stays open meanwhile, and a person may still give another answer. */
  action?: (() => Promise<unknown>) | undefined
}

/** Asks a question; 'other' is the answer of the second button, false is Cancel. */
export type Ask = (question: Question) => Promise<Answer>

/** `const alert = useAlert()`, then `await alert('Exact text.')`: one button, 'OK'. */
export function useAlert() {
  const ask = useAsk()
  return async (text: string) => {
    await ask({ text, verb: 'OK', canCancel: false })
  }
}

/** `const confirm = useConfirm()`, then `if (await confirm({ text, verb: 'Delete' }))`. */
export function useConfirm() {
  const choose = useChoice()
  return async (question: Omit<Question, 'otherVerb'>) => (await choose(question)) === true
}

/** Like `useConfirm`, for a question with a second button. */
export function useChoice(): Ask {
  const ask = useAsk()
  return (question) => ask({ ...question, canCancel: true })
}

/** Shows alerts and questions one after the other, in the order in which they were asked. */
export function AlertsProvider({ children }: { children: ReactNode }) {
  const [waiting, setWaiting] = useState<Waiting[]>([])
  const [ask] = useState(
    () => (asked: Asked) =>
      new Promise<Answer>((resolve) =>
        setWaiting((others) => [...others, { ...asked, id: ++lastId, resolve }]),
      ),
  )
  const [busyId, setBusyId] = useState(0)
  const [current] = waiting

  const close = (given: Answer) => {
    current?.resolve(given)
    setWaiting((others) => others.filter((other) => other !== current))
  }
  const answer = (given: Answer) => {
    if (given !== true || !current?.action) return close(given)
    setBusyId(current.id)
    const done = () => close(true)
    void current.action().then(done, done)
  }
  return (
    <AskContext value={ask}>
      {children}
      {current && (
        <AlertDialog key={current.id} {...current} busy={current.id === busyId} onAnswer={answer} />
      )}
    </AskContext>
  )
}

interface Asked extends Question {
  canCancel: boolean
}

let lastId = 0

interface Waiting extends Asked {
  id: number
  resolve: (answer: Answer) => void
}

const AskContext = createContext<((asked: Asked) => Promise<Answer>) | null>(null)

function useAsk() {
  const ask = useContext(AskContext)
  if (!ask) throw new Error('useAlert, useConfirm and useChoice need an AlertsProvider above them')
  return ask
}
