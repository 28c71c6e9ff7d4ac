import { useState } from 'react'
import type { Allowance } from '#contract/allowances/endpoints.ts'
import { allowancesMax, usualLimits } from '#contract/allowances/rules.ts'
import { LocalTime } from '#web/features/posts/index.ts'
import { sentenceOf } from '#web/lib/api.ts'
import { undoWithinMs } from '#web/lib/use-held.ts'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { ListNotReady } from '#web/ui/ListNotReady.tsx'
import { Outdated } from '#web/ui/NotReady.tsx'
import { TitledCard } from '#web/ui/TitledCard.tsx'
import { useToast } from '#web/ui/toasts.tsx'
import { useFocusBeside } from '#web/ui/use-focus-beside.ts'
import { useAddAllowance, useAllowances, useEndAllowance } from './allowances.ts'
import { AllowanceForm } from './AllowanceForm.tsx'

/** What admins allow beyond the usual limits by address, for a class or a workshop. */
export function Allowances() {
  const allowances = useAllowances()
  return (
    <div className="flex max-w-3xl flex-col gap-6">
      <p className="text-sm text-ink-soft">
        From one address at most {usualLimits.registrations} people register within ten minutes, and at most{' '}
        {usualLimits.signIns} sign in within a minute. The devices of a class usually share one address. An
        allowance raises these and all other limits by address until its end. The limits of each account stay:
        nobody can guess a passcode faster.
      </p>
      {allowances.status === 'ready' ? (
        <>
          <Outdated of={allowances} what="The allowances" />
          <List allowances={allowances.data} />
          <TitledCard title="Add an allowance" className="flex flex-col gap-5 p-6 text-sm">
            {allowances.data.length < allowancesMax ? (
              <AllowanceForm />
            ) : (
              <p className="text-ink-soft">
                There are {allowancesMax} allowances. End one of them before you add another one.
              </p>
            )}
          </TitledCard>
        </>
      ) : (
        <ListNotReady of={allowances} what="The allowances" count={2} each="h-130" />
      )}
      <p className="text-sm text-ink-soft">
        An allowance that the operator has set on the server is not listed here. If several are for one
        address, the largest counts.
      </p>
    </div>
  )
}

function List({ allowances }: { allowances: readonly Allowance[] }) {
  if (allowances.length === 0) return <EmptyState drawing="lamp" text="The usual limits hold for everybody" />
  return (
    <ul aria-label="Allowances" className="flex flex-col gap-3">
      {allowances.map((allowance) => (
        <Row key={allowance.id} allowance={allowance} />
      ))}
    </ul>
  )
}

function Row({ allowance }: { allowance: Allowance }) {
  const { id, network, factor, until } = allowance
  const row = useFocusBeside<HTMLLIElement & HTMLDivElement>()
  const ending = useEndAllowance()
  const adding = useAddAllowance()
  const toast = useToast()
  const [isFailed, setIsFailed] = useState(false)
  const name = network ?? 'Everybody'
  const addAgain = async () => {
    if (await adding.attempt({ input: { network, factor, until } }))
      toast({ title: `The allowance for ${name} holds again` })
    else toast({ title: `The allowance for ${name} could not be added again`, tone: 'destructive' })
  }
  const end = async () => {
    const isEnded = await ending.attempt({ params: { id } })
    setIsFailed(!isEnded)
    if (isEnded)
      toast({
        title: `The allowance for ${name} has ended`,
        shownMs: undoWithinMs,
        action: { label: 'Undo', onPress: () => void addAgain() },
      })
  }
  return (
    <Card as="li" ref={row} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-5 py-4">
      <div className="flex min-w-0 flex-col gap-1">
        <p className="font-medium wrap-anywhere">{name}</p>
        <p className="text-sm text-ink-soft">
          Up to {factor} times the usual limits, until <LocalTime at={until} />
        </p>
        <p role="alert" className="text-sm font-medium text-bad empty:hidden">
          {isFailed &&
            sentenceOf(ending.error, 'The allowance could not be ended. Check the connection and try again.')}
        </p>
      </div>
      <Button variant="quiet" busy={ending.status === 'running'} onClick={() => void end()}>
        End now
        <span className="sr-only"> the allowance for {name}</span>
      </Button>
    </Card>
  )
}
