import { Parser } from 'htmlparser2'
import type { Findings } from './findings.ts'
import { checkedDay, instantOf, localTime } from './local-time.ts'
import { NotUnderstood } from './refused.ts'
import type { SourceFile } from './source.ts'

/**
 * Day One Classic: one property list (`.doentry`) for each entry, with the keys `Creation Date` (UTC), `Time Zone`, `Entry
 * Text` and `Tags`.
 */
export async function readDayOneClassic(files: readonly SourceFile[], findings: Findings): Promise<void> {
  for (const file of files) {
    const place = file.path
    await findings.attemptFile(place, async () => {
      const { texts, keys } = readPropertyList(await file.text())
      const instant = instantOf(texts.get('Creation Date'))
      if (!instant) throw new NotUnderstood('This entry has no date.')
      let local = localTime(instant, texts.get('Time Zone') ?? 'UTC')
      if (!local) {
        findings.noteUnknownZone(place)
        local = localTime(instant, 'UTC')!
      }
      if (keys.has('Tags')) findings.leaveOut('tags', place)
      if (keys.has('Location')) findings.leaveOut('place', place)
      if (keys.has('Weather')) findings.leaveOut('weather', place)
      const text = texts.get('Entry Text') ?? ''
      findings.addForeign({
        kind: 'day',
        of: 'diary',
        day: checkedDay(local.day),
        time: local.time,
        text,
        place,
      })
    })
  }
}

/** The keys of the outermost dictionary, and the values of those that are one text. */
function readPropertyList(xml: string): { texts: Map<string, string>; keys: Set<string> } {
  const texts = new Map<string, string>()
  const keys = new Set<string>()
  let depth = 0
  let key = ''
  let text = ''
  const parser = new Parser(
    {
      onopentag() {
        if (++depth > 100) throw new NotUnderstood('This entry is nested too deeply.')
        text = ''
      },
      ontext(piece) {
        text += piece
      },
      onclosetag(name) {
        // plist, dict, key: what is deeper belongs to a value.
        if (depth-- !== 3) return
        if (name === 'key') key = text
        keys.add(key)
        if (name === 'string' || name === 'date') texts.set(key, text)
      },
    },
    { xmlMode: true },
  )
  parser.end(xml)
  return { texts, keys }
}
