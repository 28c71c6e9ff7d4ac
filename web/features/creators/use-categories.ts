import { useState } from 'react'
import { creatorCategories, type CreatorCategory } from '#contract/creators/creator.ts'
import { storedJson } from '#web/lib/storage.ts'
import { allCreators } from './sample-creators.ts'

type Assigned = Readonly<Record<string, CreatorCategory>>

/** The creators whose category an admin has changed. The assignment belongs to this browser, not to a person. */
const assignedHere = storedJson<Assigned>({
  key: 'creator-categories',
  schema: { parse: parseAssigned },
  fallback: {},
})

/** All creators with the categories of this browser. `assign` answers whether the browser kept the change. */
export function useCategories() {
  const [assigned, setAssigned] = useState(assignedHere.read)
  const creators = allCreators.map((creator) => ({
    ...creator,
    category: assigned[creator.id] ?? creator.category,
  }))
  const assign = (id: string, category: CreatorCategory): boolean => {
    const next = { ...assigned, [id]: category }
    setAssigned(next)
    return assignedHere.write(next)
  }
  return { creators, assign }
}

function parseAssigned(stored: unknown): Assigned {
  const assigned = stored as Record<string, CreatorCategory>
  if (!Object.values(assigned).every((category) => creatorCategories.includes(category)))
    throw new TypeError('A category is not known.')
  return assigned
}
