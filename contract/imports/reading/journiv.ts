import { withTitle } from '#contract/text-form.ts'
import type { FileOf, JsonReader } from './json-reader.ts'
import type { Findings } from './findings.ts'
import { checkedDay, instantOf, localTime } from './local-time.ts'
import { NotUnderstood } from './refused.ts'
import { type Fields, fieldsOf, hasValue, listOf, textOf } from './values.ts'

/**
 * An export of Journiv: `journals[].entries[]` in one JSON file beside the pictures. `entry_date` is the day of the writer;
 * the time is that of `entry_datetime_utc` in `entry_timezone`. A draft of an entry belongs to its day like the others. An
 * entry counts once, and each of its `media` once.
 */
export function journivReader(path: string, findings: Findings, fileOf: FileOf): JsonReader {
  let count = 0
  return {
    add(read) {
      const place = `${path}, entry ${++count}`
      findings.attempt(place, () => addEntry(fieldsOf(read()), place, fileOf, findings))
    },
  }
}

function addEntry(entry: Fields, place: string, fileOf: FileOf, findings: Findings) {
  const day = textOf(entry['entry_date']).slice(0, 10)
  if (day === '') throw new NotUnderstood('This entry has no date.')
  checkedDay(day)
  const instant = instantOf(entry['entry_datetime_utc'])
  const local = instant && localTime(instant, textOf(entry['entry_timezone']) || 'UTC')
  for (const { filename, file_path: file } of listOf(entry['media']).map(fieldsOf)) {
    const name = textOf(file) || textOf(filename)
    const path = fileOf(`media/${name}`) ?? fileOf(name)
    findings.skipAttachment(place, textOf(filename) || 'without a name', path)
  }
  if (hasValue(entry['location_json']) || hasValue(entry['location'])) findings.leaveOut('place', place)
  if (hasValue(entry['weather_json']) || hasValue(entry['weather_summary']))
    findings.leaveOut('weather', place)
  if (hasValue(entry['mood_log'])) findings.leaveOut('mood', place)
  if (hasValue(entry['tags'])) findings.leaveOut('tags', place)
  const text = withTitle(textOf(entry['title']).trim(), bodyOf(entry))
  const time = local?.day === day ? local.time : null
  findings.addForeign({ kind: 'day', of: 'diary', day, time, text, place })
}

/** Older exports have `content` in Markdown; newer ones have `content_delta` of the editor Quill, with its plain text. */
function bodyOf(entry: Fields): string {
  const plain = textOf(entry['content_plain_text']) || textOf(entry['content'])
  if (plain !== '') return plain.trim()
  const { ops } = fieldsOf(entry['content_delta'])
  return listOf(ops)
    .map((each) => textOf(fieldsOf(each)['insert']))
    .join('')
    .trim()
}
