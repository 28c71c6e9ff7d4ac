import { type FormEvent, useState } from 'react'
import { factorMax, factorMin, networkMaxLength, usualLimits } from '#contract/allowances/rules.ts'
import { isBlank } from '#contract/text.ts'
import { LocalTime, zoneSentence } from '#web/features/posts/index.ts'
import { sentenceOf } from '#web/lib/api.ts'
import { RequestError } from '#web/lib/request.ts'
import { serverNow } from '#web/lib/server-clock.ts'
import { Button } from '#web/ui/Button.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { SelectField } from '#web/ui/SelectField.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { useToast } from '#web/ui/toasts.tsx'
import { type AllowanceEnd, endOfAllowance, useAddAllowance } from './allowances.ts'

/** Asks for whom, how much and until when. */
export function AllowanceForm() {
  const adding = useAddAllowance()
  const toast = useToast()
  const [isForAll, setIsForAll] = useState(false)
  const [network, setNetwork] = useState('')
  const [factor, setFactor] = useState(5)
  const [choice, setChoice] = useState<AllowanceEnd>('3')
  const [day, setDay] = useState('')
  const [isIncomplete, setIsIncomplete] = useState(false)
  const end = endOfAllowance(choice, { day, now: new Date(serverNow()) })
  const lacksNetwork = !isForAll && isBlank(network)
  const refusals: Record<string, string> = adding.error instanceof RequestError ? adding.error.fields : {}

  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (adding.status === 'running') return
    setIsIncomplete(lacksNetwork || 'error' in end)
    if (lacksNetwork || 'error' in end) return
    const input = { network: isForAll ? null : network, factor, until: end.until }
    if (!(await adding.attempt({ input }))) return
    setNetwork('')
    toast({ title: 'The allowance is added' })
  }
  return (
    <form noValidate onSubmit={(event) => void send(event)} className="flex flex-col gap-5">
      <RadioGroup
        legend="For whom"
        inline
        options={[
          { value: 'network', label: 'A network' },
          { value: 'all', label: 'Everybody' },
        ]}
        value={isForAll ? 'all' : 'network'}
        onChange={(value) => setIsForAll(value === 'all')}
      />
      {!isForAll && (
        <TextField
          label="Address or network"
          hint="Such as 192.0.2.7, 192.0.2.0/24 or 2001:db8::/48. To find it, open a page that shows your address on a device in the classroom."
          value={network}
          maxLength={networkMaxLength}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          error={isIncomplete && lacksNetwork ? 'Please enter an address or a network.' : refusals['network']}
          onChange={(event) => setNetwork(event.target.value)}
        />
      )}
      <SelectField
        label="Up to how many times the usual limits"
        options={Array.from({ length: factorMax - factorMin + 1 }, (_, i) => i + factorMin)}
        value={factor}
        onChange={setFactor}
      />
      <p aria-live="polite" className="text-ink-soft">
        Then {factor * usualLimits.registrations} people can register from one address within ten minutes, and{' '}
        {factor * usualLimits.signIns} sign in within a minute.
      </p>
      <div className="flex flex-col gap-3">
        <RadioGroup<AllowanceEnd>
          legend="End"
          inline
          options={[
            { value: '3', label: 'In 3 hours' },
            { value: '8', label: 'In 8 hours' },
            { value: '24', label: 'In a day' },
            { value: '168', label: 'In 7 days' },
            { value: '720', label: 'In 30 days' },
            { value: 'day', label: 'At the end of a day' },
          ]}
          value={choice}
          onChange={setChoice}
        />
        {choice === 'day' && (
          <TextField
            label="Last day"
            type="date"
            value={day}
            error={isIncomplete && 'error' in end ? end.error : undefined}
            onChange={(event) => setDay(event.target.value)}
          />
        )}
        <p className="text-ink-soft empty:hidden">
          {'until' in end && (
            <>
              Until <LocalTime at={end.until} />. {zoneSentence()}
            </>
          )}
        </p>
      </div>
      {isForAll && (
        <p className="text-ink-soft">
          For everybody also means for programs that register or send in masses. Choose a network where you
          can.
        </p>
      )}
      <p role="alert" className="font-medium text-bad empty:hidden">
        {adding.error &&
          refusals['network'] === undefined &&
          sentenceOf(adding.error, 'The allowance could not be added. Check the connection and try again.')}
      </p>
      <div className="flex justify-end">
        <Button type="submit" busy={adding.status === 'running'}>
          Add
        </Button>
      </div>
    </form>
  )
}
