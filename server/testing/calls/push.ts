import { deletePushDevice, getPushDevice, savePushDevice } from '#contract/push/endpoints.ts'
import { type CallRow, people, row } from './row.ts'

export const pushCalls: readonly CallRow[] = [
  row(getPushDevice, people),
  row(savePushDevice, people, ({ next }) => ({
    input: {
      endpoint: `https://push.example/${next()}`,
      // Of the example in RFC 8291.
      p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    },
  })),
  row(deletePushDevice, people),
]
