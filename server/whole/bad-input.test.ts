import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { errors, type Refusal } from '#contract/errors.ts'
import { users } from '../features/account/index.ts'
import { allowed, calls, expectSound, requestOf, type CallRow } from '../testing/calls.ts'
import { shareWorld, startWorld, type World } from '../testing/world.ts'
import { contentOf } from '../testing/content.ts'

const withInput = calls.filter(({ endpoint }) => endpoint.input !== undefined)
const json = { 'content-type': 'application/json' }
/** Fewer commas than a body may have. */
const maxParts = 4900

const sharedWorld = shareWorld()

/** The world, and a function that sends any body as a client that may make the call. */
async function startWith(row: CallRow, world = sharedWorld()) {
  const client = allowed(world, row)
  const input = row.make(world).input ?? {}
  const send = async (payload: string | Buffer, headers: Record<string, string> = json) => {
    const answer = await client.request({ ...requestOf(row, row.make(world)), payload, headers })
    expectSound(answer, row.endpoint)
    return answer
  }
  const { bodyLimit = 64 * 1024 } = world.app.mounted.find(({ config }) => config.endpoint === row.endpoint)!
  return { world, input, send, bodyLimit, before: await contentOf(world.db) }
}

test.each(withInput)(
  'the row of $name names every field that it takes, so that each is tried below',
  async (row) => {
    const { input } = await startWith(row)
    expect(Object.keys(input).toSorted()).toEqual(Object.keys(fieldsOf(row)).toSorted())
  },
)

test.each(withInput)(
  '$name takes one JSON object of bounded depth and size; anything else is refused and changes nothing [S27 S31]',
  async (row) => {
    const { world, input, send, bodyLimit, before } = await startWith(row)
    const right = JSON.stringify(input)
    const withPart = (part: string) => right.replace('{', `{${part},`)
    const bodies: [string | Buffer, Record<string, string>, number][] = [
      ...['', '{', '[]', '5', '"text"', `[${right}]`, `${right}x`, right.replaceAll('"', "'")].map(
        (body) => [body, json, 400] as [string, typeof json, number],
      ),
      // The server reads a call without a body as null.
      ...(takesNoBody(row) ? [] : [['null', json, 400] as [string, typeof json, number]]),
      [Buffer.concat([Buffer.from(right.slice(0, -1)), Buffer.from(',"x":"\xff"}', 'latin1')]), json, 400],
      [Buffer.from(right, 'utf16le'), json, 400],
      [`\ufeff${right}`, json, 400],
      [withPart(right.slice(1, -1)), json, 400],
      [withPart('"x":1,"x":2'), json, 400],
      [withPart('"x":[{"y":1,"\\u0079":2}]'), json, 400],
      [withPart('"x":1e309'), json, 400],
      [withPart('"x":{"y":[-1e309]}'), json, 400],
      [withPart('"__proto__":{"isAdmin":true}'), json, 400],
      [withPart('"\\u005f_proto__":{}'), json, 400],
      [withPart('"x":[{"constructor":{"prototype":{}}}]'), json, 400],
      [withPart(`"x":${'['.repeat(20)}${']'.repeat(20)}`), json, 400],
      [withPart(`"x":"${'a'.repeat(bodyLimit)}"`), json, 413],
      [right, { 'content-type': 'application/json; charset=latin1' }, 415],
      [right, { 'content-type': 'application/jsonp' }, 415],
      [right, { 'content-type': 'text/json' }, 415],
      [right, { 'content-type': 'application/json, text/plain' }, 415],
    ]
    for (const [body, headers, status] of bodies)
      expect([String(body).slice(0, 80), (await send(body, headers)).statusCode]).toEqual([
        String(body).slice(0, 80),
        status,
      ])
    expect(await contentOf(world.db)).toEqual(before)
  },
)

test.each(withInput)(
  'a field of $name in another shape, missing, or with text that cannot be kept is refused with a sentence, which says when it is missing, and changes nothing [S27 S28 S29 S31]',
  async (row) => {
    const { world, input, send, bodyLimit, before } = await startWith(row)
    const missing: string[] = []
    for (const [field, schema] of Object.entries(fieldsOf(row))) {
      const isTaken = (value: unknown) => z.safeParse(schema, value).success
      const wrong = wrongFor(input[field], bodyLimit).filter((value) => value !== null || !isTaken(null))
      if (!isTaken(undefined)) wrong.push(undefined)
      for (const value of wrong) {
        const answer = await send(JSON.stringify({ ...input, [field]: value }))
        const shown = `${field}: ${String(JSON.stringify(value)).slice(0, 60)}`
        expect([shown, answer.statusCode]).toEqual([shown, 400])
        expect(answer.json()).toMatchObject({ code: 'InvalidInput', fields: { [field]: expect.any(String) } })
        // A missing field is named, or has a sentence of its own.
        if (value === undefined) missing.push(answer.json<Refusal>().fields![field]!)
      }
    }
    expect(missing).not.toContain(errors.InvalidInput.error)
    expect(await contentOf(world.db)).toEqual(before)
  },
)

test.each(withInput)(
  'what $name does not know it ignores: no actor, no right and no other field comes from a body [S3 S5 S27]',
  async (row) => {
    const { world, input, send } = await startWith(row, await startWorld())
    const sentinel = 'zzzzzzzzzz'
    const admins = await adminsOf(world)
    const people = ['id', 'authorId', 'userId', 'sender', 'senderId', 'createdBy', 'actorId', 'unknown_field']
    const foreign = Object.fromEntries(people.map((name) => [name, sentinel]))
    const answer = await send(
      JSON.stringify({ ...foreign, isAdmin: true, isAnonymous: true, ...input, 'x.y': { [sentinel]: 1 } }),
    )
    expect(answer.statusCode).toBeLessThan(300)
    expect(answer.body).not.toContain(sentinel)
    expect(JSON.stringify(await contentOf(world.db))).not.toContain(sentinel)
    expect(await adminsOf(world)).toEqual(admins)
  },
)

test.each(calls.filter(({ endpoint }) => endpoint.input ?? endpoint.params ?? endpoint.query))(
  'whatever $name is sent, it answers without a fault, and a refusal changes nothing [S7 S27 S28 S32]',
  async (row) => {
    const world = await startWorld()
    const client = allowed(world, row)
    let stored = await contentOf(world.db)
    const holds = fc.asyncProperty(anyRequest(row, row.make(world)), async ({ params, query, input }) => {
      const answer = await client.request({
        ...requestOf(row, { params, query }),
        ...(row.endpoint.input && { payload: JSON.stringify(input), headers: json }),
      })
      expectSound(answer, row.endpoint)
      const before = stored
      stored = await contentOf(world.db)
      const isRefused = answer.statusCode >= 400
      expect(withoutAudit(stored)).toEqual(withoutAudit(isRefused ? before : stored))
    })
    await expect(fc.assert(holds, { numRuns: 30 })).resolves.toBeUndefined()
  },
)

function fieldsOf({ endpoint: { input } }: CallRow): Record<string, z.ZodMiniType> {
  let object: unknown = input
  while (
    object instanceof z.ZodMiniOptional ||
    object instanceof z.ZodMiniNullable ||
    object instanceof z.ZodMiniDefault
  )
    object = object._zod.def.innerType
  if (!(object instanceof z.ZodMiniObject)) throw new Error('The input of a call is an object.')
  return object.shape as Record<string, z.ZodMiniType>
}

const takesNoBody = ({ endpoint: { input } }: CallRow) =>
  input !== undefined && z.safeParse(input, null).success

const adminsOf = ({ db }: World) =>
  db.select({ id: users.id }).from(users).where(eq(users.isAdmin, true)).orderBy(users.id)

/** Values that are refused in the place of this one. */
function wrongFor(value: unknown, bodyLimit: number): unknown[] {
  const others = [null, true, 5, 'x', [], {}, [value], { value }].filter(
    (other) => kindOf(other) !== kindOf(value),
  )
  if (typeof value === 'string') return [...others, ...wrongTexts(value, bodyLimit)]
  if (typeof value === 'number') return [...others, -1, value + 0.5, 2 ** 53, String(value)]
  if (typeof value === 'boolean') return [...others, String(value), 0, 1]
  if (!Array.isArray(value)) return others
  const [first] = value as unknown[]
  // As many as the body and its bound of parts allow: more is refused before the field is read.
  const length = Math.min(Math.floor(bodyLimit / JSON.stringify([first]).length) - 10, maxParts)
  const many = Array.from({ length }, () => first)
  return [...others, ...wrongFor(first, 1000).map((wrong) => [wrong]), many]
}

function wrongTexts(value: string, bodyLimit: number) {
  const texts = [`${value}\0`, `${value}\ud800`, `\udc00${value}`, 'a'.repeat(bodyLimit - 1000)]
  const isId = /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(value) || /^[0-9a-hjkmnp-tv-z]{10}$/.test(value)
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(value)
  if (isId) texts.push(`${value} `, `{${value}}`, value.replaceAll('-', '').slice(1), `${value.slice(1)}A`)
  if (isDay) texts.push('2026-02-30', '1899-12-31', '2101-01-01', '2025-6-1', ` ${value}`, `${value}T00:00Z`)
  return texts
}

const kindOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)

const wellFormed = fc.string({ unit: 'binary', maxLength: 60 })
const anyText = fc.oneof(
  wellFormed,
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 30 })
    .map((units) => String.fromCharCode(...units)),
  fc.constantFrom("' or 1=1 --", '%_\\', '$1', '00000000-0000-7000-8000-000000000001', '9'.repeat(30), '-0'),
)
const anyValue = fc.oneof(
  anyText,
  fc.jsonValue({ maxDepth: 3 }),
  fc.double(),
  fc.array(anyText, { maxLength: 5 }),
)

/** The right call with any part of it replaced by anything, left out, or joined by unknown ones. */
function anyRequest(
  { endpoint }: CallRow,
  { params = {}, query = {}, input = {} }: ReturnType<CallRow['make']>,
) {
  const texts = (right: Record<string, string>, more: readonly string[]) =>
    fc.record(
      Object.fromEntries(
        [...Object.keys(right), ...more].map((name) => [
          name,
          fc.oneof(
            fc.constant(right[name] ?? ''),
            wellFormed,
            anyText.filter((text) => text.isWellFormed()),
          ),
        ]),
      ),
    )
  const fields = fc.record(
    Object.fromEntries(
      Object.entries(input).map(([name, value]) => [name, fc.oneof(fc.constant(value), anyValue)]),
    ),
    { requiredKeys: [] },
  )
  return fc.record({
    // A path ends where its parameter is empty.
    params: texts(params, []).map((each) =>
      Object.fromEntries(Object.entries(each).map(([name, text]) => [name, text === '' ? '-' : text])),
    ),
    query: texts(query, endpoint.query ? ['before', 'limit', 'x'] : ['x']),
    input: fc.tuple(fields, fc.dictionary(anyText, anyValue, { maxKeys: 3 })).map(([known, unknown]) => ({
      ...unknown,
      ...known,
    })),
  })
}

/** A sign-in that is refused leaves its line in the audit log, as it should. */
const withoutAudit = ({ audit_log: _audited, ...rest }: Record<string, string[]>) => rest
