/** The calls that people make most. */
export type CallName =
  | 'openPage'
  | 'getMe'
  | 'getFeedDay'
  | 'getDiaryEntry'
  | 'saveDiaryEntry'
  | 'listMessages'
  | 'sendMessage'
  | 'listRooms'
  | 'listPassages'
  | 'sendPassage'
  | 'submitPost'
  | 'search'
  | 'login'

/** What one call costs. Times are those of the processor. */
export interface CallCost {
  serverUs: number
  databaseUs: number
  /** What the database writes to its log (WAL). */
  logBytes: number
  /** What the tables and their indexes grow by. */
  storedBytes: number
  /** The answer with its headers, compressed. */
  answerBytes: number
}

/** The file `costs.json`, which `bench/costs.ts` writes. */
export interface Costs {
  /** The day of the measurement. */
  measuredOn: string
  calls: Record<CallName, CallCost>
  stream: {
    memoryBytes: number
    opening: { serverUs: number; databaseUs: number }
    /** Of an open stream without events. */
    second: { serverUs: number; databaseUs: number }
    /** Of the server, for an event that goes to one stream. */
    eventUs: number
  }
  /** A message between processes over Redis. */
  bus: {
    /** Of Redis, for each process that gets it. */
    deliveryUs: number
    /** Of a process that gets it and needs it for none of its streams. */
    receiveUs: number
  }
}
