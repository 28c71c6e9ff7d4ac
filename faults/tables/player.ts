import { setTimeout as delay } from 'node:timers/promises'
import { sendPassage } from '#contract/rooms/endpoints.ts'
import { passTurn, returnToTable, renewLease } from '#contract/rooms/table/endpoints.ts'
import { type RoomTurn, renewLeaseEveryMs, type TurnRule } from '#contract/rooms/table/table.ts'
import type { HttpClient } from '../../scripts/testing/http-client.ts'
import { ReturningReader } from '../../scripts/testing/returning-reader.ts'
import { oneOf } from '../random.ts'
import { callOnce, newKey, retry } from '../retry.ts'

/** A text that a person has typed. `refused`: the person still has the text when the room ends. */
export interface TypedText {
  roomId: string
  userId: string
  text: string
  outcome: 'acknowledged' | 'refused'
  turn: number
}

/** What all people of a table note down. */
export interface TableNotes {
  texts: TypedText[]
  /** The turns whose holders asked to pass. */
  passed: Set<number>
  /** By the number of a turn: when the answer came that gave it to its holder. */
  givenAt: Map<number, number>
  /** By the number of a turn: when the stream of its holder showed it, and since when that stream was open. */
  shownAt: Map<number, { at: number; openedAt: number }>
  /** Answers that nobody expects. */
  problems: string[]
}

interface Options {
  roomId: string
  rule: TurnRule
  userId: string
  name: string
  /** One for each server. */
  clients: HttpClient[]
  random: () => number
  /** The probability that the person leaves the page open in a turn, and does not renew the lease. */
  freezes: number
  notes: TableNotes
}

const typingMs = { from: 300, to: 3000 }
const chances = {
  /** Renews the lease until the turn is over, and writes nothing. */
  hesitates: 0.01,
  passes: 0.06,
  /** Has no connection for some seconds after a call that failed. */
  staysOffline: 0.3,
}

/** A person at a table who writes, hesitates, pauses, loses connections and returns, until the room ends. */
export class Player {
  readonly #options: Options
  readonly #reader: ReturningReader
  #turn: RoomTurn | undefined
  #openedAt = Infinity
  #isFrozen = false
  #playedNumber = 0
  #isReturning = false
  #texts = 0
  /** The text that waits for the next turn. */
  #held: TypedText | undefined
  #isOver = false
  #work: Promise<void> = Promise.resolve()

  constructor(options: Options) {
    this.#options = options
    const { clients, random, roomId } = options
    this.#reader = new ReturningReader({
      origin: () => oneOf(random, clients).url,
      cookie: clients[0]!.cookie,
      rooms: [roomId],
      onEvent: (name, data) => {
        if (name === 'ready') this.#openedAt = Date.now()
        if (name === 'room.turn') this.#receive(data as RoomTurn)
      },
    })
  }

  cut(): void {
    this.#openedAt = Infinity
    this.#reader.cut()
  }

  /** Ends the work of the person, and waits for the last call. */
  async close(): Promise<void> {
    this.#isOver = true
    this.#reader.close()
    await this.#work
  }

  #receive(turn: RoomTurn) {
    if (turn.revision < (this.#turn?.revision ?? 0)) return
    this.#turn = turn
    const { userId, notes } = this.#options
    const { number, holderId } = turn
    if (holderId === userId && !notes.shownAt.has(number))
      notes.shownAt.set(number, { at: Date.now(), openedAt: this.#openedAt })
    this.#act()
  }

  /** Does what the page of a person does who looks at it. */
  #act() {
    if (this.#isOver || this.#isFrozen || this.#turn === undefined) return
    const { userId, random, freezes, notes } = this.#options
    const { holderId, number, seats } = this.#turn
    const seat = seats.find((each) => each.userId === userId)
    if (seat?.state === 'away' && !this.#isReturning) void this.#return()
    if (holderId !== userId || number <= this.#playedNumber) return
    // Otherwise a short run may have hardly any text.
    if (notes.texts.length > 3 && random() < freezes) return void this.#freeze()
    this.#playedNumber = number
    // A text whose answer has not come yet is not sent again for the next turn.
    this.#work = this.#work
      .then(() => this.#play(number))
      .catch((error: unknown) => {
        this.#options.notes.problems.push(String(error))
      })
  }

  async #freeze() {
    this.#isFrozen = true
    await delay(15_000 + this.#options.random() * 75_000, undefined, { ref: false })
    this.#isFrozen = false
    this.#act()
  }

  async #return() {
    const { roomId, random } = this.#options
    this.#isReturning = true
    await delay(random() * 5000)
    await callOnce(() => this.#client.tries(returnToTable, { params: { id: roomId } }))
    this.#isReturning = false
  }

  async #play(number: number) {
    const { random } = this.#options
    const renewing = setInterval(() => void this.#renewLease(number), renewLeaseEveryMs)
    void this.#renewLease(number)
    try {
      const chosen = random()
      if (chosen < chances.hesitates) return await this.#hesitate(number)
      await delay(typingMs.from + random() * (typingMs.to - typingMs.from))
      if (chosen < chances.hesitates + chances.passes) await this.#pass(number)
      else await this.#write(number)
    } finally {
      clearInterval(renewing)
    }
  }

  async #hesitate(number: number) {
    while (!this.#isOver && this.#turn?.number === number && this.#turn.holderId !== null) await delay(50)
  }

  async #renewLease(number: number) {
    const { roomId } = this.#options
    await callOnce(() => this.#client.tries(renewLease, { params: { id: roomId }, input: { number } }))
  }

  async #pass(number: number) {
    const { roomId, notes } = this.#options
    notes.passed.add(number)
    for (const named of [this.#named(), {}]) {
      const input = { number, ...named }
      const answer = await callOnce(() => this.#client.tries(passTurn, { params: { id: roomId }, input }))
      if (answer?.status === 200) return void notes.givenAt.set(number + 1, Date.now())
    }
  }

  /** Sends the text until an answer comes. A refused text waits for the next turn. */
  async #write(number: number) {
    const { roomId, userId, name, notes, random } = this.#options
    const typed = (this.#held ??= {
      roomId,
      userId,
      text: `${name} ${++this.#texts}`,
      outcome: 'refused',
      turn: 0,
    })
    if (typed.turn === 0) notes.texts.push(typed)
    typed.turn = number
    for (let named = this.#named(); ; named = {}) {
      const headers = newKey()
      const input = { content: typed.text, turn: number, ...named }
      let tries = 0
      const answer = await retry(async () => {
        if (tries++ > 0 && random() < chances.staysOffline) await delay(5000 + random() * 20_000)
        return this.#client.tries(sendPassage, { params: { id: roomId }, input, headers })
      })
      if (answer?.status === 201) {
        typed.outcome = 'acknowledged'
        this.#held = undefined
        notes.givenAt.set(number + 1, Date.now())
        return
      }
      const code = (JSON.parse(answer!.text) as { code: string }).code
      if (code === 'TurnOver' || code === 'RoomExpired') return
      if (code !== 'NotNext') throw new Error(`${answer!.status} ${code}: ${typed.text}, turn ${number}`)
    }
  }

  /** Whom the holder of a baton names in every second turn. */
  #named(): { next?: string } {
    const { random, userId, rule } = this.#options
    if (rule === 'round') return {}
    const others = (this.#turn?.seats ?? []).filter(
      (seat) => seat.userId !== userId && seat.state === 'ready',
    )
    return others.length > 0 && random() < 0.5 ? { next: oneOf(random, others).userId } : {}
  }

  get #client(): HttpClient {
    return oneOf(this.#options.random, this.#options.clients)
  }
}
