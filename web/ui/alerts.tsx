import { createContext, useContext, useState, type ReactNode } from 'react'
import { AlertDialog } from './AlertDialog.tsx'

interface Question {
  text: string
  /** The word on the button that does it, such as 'Delete'. */
  verb: string
  danger?: boolean
}

/** `const alert = useAlert()`, then `await alert('Exact text.')`: one button, 'OK'. */
export function useAlert() {
  const ask = useAsk()
  return async (text: string) => {
    await ask({ text, verb: 'OK', canCancel: false })
  }
}

/** `const confirm = useConfirm()`, then `if (await confirm({ text, verb: 'Delete' }))`. */
export function useConfirm() {
  const ask = useAsk()
  return (question: Question) => ask({ ...question, canCancel: true })
}

/** Shows alerts and questions one after the other, in the order in which they were asked. */
export function AlertsProvider({ children }: { children: ReactNode }) {
  // Alerts are rarely drawn: without the memo code of the compiler the first file is smaller.
  'use no memo'
  const [waiting, setWaiting] = useState<Waiting[]>([])
  const [ask] = useState(
    () => (asked: Asked) =>
      new Promise<boolean>((resolve) =>
        setWaiting((others) => [...others, { ...asked, id: ++lastId, resolve }]),
      ),
  )
  const [current] = waiting

  const answer = (yes: boolean) => {
    current?.resolve(yes)
    setWaiting((others) => others.filter((other) => other !== current))
  }
  return (
    <Ask value={ask}>
      {children}
      {current && (
        <AlertDialog
          key={current.id}
          text={current.text}
          verb={current.verb}
          canCancel={current.canCancel}
          danger={current.danger ?? false}
          onAnswer={answer}
        />
      )}
    </Ask>
  )
}

interface Asked extends Question {
  canCancel: boolean
}

let lastId = 0

interface Waiting extends Asked {
  id: number
  resolve: (yes: boolean) => void
}

const Ask = createContext<((asked: Asked) => Promise<boolean>) | null>(null)

function useAsk() {
  const ask = useContext(Ask)
  if (!ask) throw new Error('useAlert and useConfirm need an AlertsProvider above them')
  return ask
}
