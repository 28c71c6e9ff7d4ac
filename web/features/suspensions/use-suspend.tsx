import { type ReactNode, useState } from 'react'
import { failedDialog, part } from '#web/ui/part.tsx'

interface Named {
  id: string
  name: string
}

/**
 * Suspends a person, or changes or lifts the suspension. Show `dialog` once: it is empty until `suspend` is called. Offer it to
 * admins and moderators only.
 */
export function useSuspend(): { suspend: (person: Named) => void; dialog: ReactNode } {
  const [person, setPerson] = useState<Named | null>(null)
  return {
    suspend: setPerson,
    dialog: person && <SuspendDialog person={person} onClose={() => setPerson(null)} />,
  }
}

const SuspendDialog = part(async () => (await import('./SuspendDialog.tsx')).SuspendDialog, failedDialog)
