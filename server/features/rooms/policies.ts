import { everyone, people, withScope } from '#server/platform/http/endpoints/policy.ts'

export const roomReaders = withScope('rooms', everyone)
export const roomWriters = withScope('rooms', people)
