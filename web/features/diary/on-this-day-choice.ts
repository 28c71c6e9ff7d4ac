import { useState } from 'react'
import { storedText } from '#web/lib/storage.ts'

const choice = storedText('on-this-day', { allowed: ['on', 'off'] })

/** Whether this browser shows 'On This Day', and a function that changes it. It is on until a person switches it off. */
export function useShowsOnThisDay(): readonly [isOn: boolean, change: (isOn: boolean) => void] {
  const [isOn, setIsOn] = useState(() => choice.read() !== 'off')
  const change = (next: boolean) => {
    choice.write(next ? 'on' : 'off')
    setIsOn(next)
  }
  return [isOn, change]
}
