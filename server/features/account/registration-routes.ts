import { eq } from 'drizzle-orm'
import { fullNameOf, splitName } from '#contract/account/display-name.ts'
import {
  approveRegistration,
  checkRegistrationLink,
  createRegistrationLink,
  endRegistrationLink,
  listRegistrationLinks,
  listRegistrationRequests,
  refuseRegistration,
  requestRegistration,
} from '#contract/account/registration/endpoints.ts'
import { linksMax, requestsMax } from '#contract/account/registration/rules.ts'
import { done } from '#contract/schemas.ts'
import { isBlank } from '#contract/text.ts'
import type { Needs } from '#server/feature.ts'
import { asksForAgreement, refusesEmail } from '#server/features/instance/index.ts'
import { handle, type Route } from '#server/platform/http/endpoints/handle.ts'
import type { LimitRule } from '#server/platform/http/bounds/limits.ts'
import { admins, everyone } from '#server/platform/http/endpoints/policy.ts'
import { newId } from '#server/platform/ids.ts'
import { newToken } from '#server/platform/tokens.ts'
import {
  addPerson,
  isEmailTaken,
  lockEmail,
  lockPerson,
  lockPersonForDeletion,
  takeOverGuest,
} from './queries.ts'
import { refuse, refuseUnusable } from './refuse-unusable.ts'
import { isReservedName } from './reserved-names.ts'
import { addLink, countLinks, isGoodLink, listLinks, removeLink } from './registration-links.ts'
import {
  addRequest,
  countRequests,
  findWaiting,
  listRequests,
  refuseRequest,
  takeRequest,
} from './registration-requests.ts'
import { users } from './schema.ts'

export type Deps = Pick<Needs, 'config' | 'database' | 'hashing' | 'personalData' | 'instance' | 'events'>

/** As strict as registrations, with a counter of its own. */
const requests: LimitRule = {
  name: 'registration-request',
  count: 10,
  seconds: 600,
  by: 'address',
  isRaisable: true,
}
/** Counts people who join the queue, so that nobody fills it from one address. */
const requestsOfDay: LimitRule = {
  name: 'registration-requests-of-day',
  count: 30,
  seconds: 24 * 3600,
  by: 'address',
  isRaisable: true,
}
const lookups: LimitRule = {
  name: 'registration-link-lookups',
  count: 30,
  seconds: 60,
  by: 'address',
  isRaisable: true,
}
const newLinks: LimitRule = { name: 'registration-links', count: 60, seconds: 3600, by: 'person' }

const emailRefused =
  'This email address is refused now. Refuse the person, or take it off the list of refused addresses.'
const nameReserved = 'This name is reserved now. Refuse the person, who can ask again by another name.'

/** The calls of people who ask for an account, and those by which admins decide who can register. */
export function registrationRoutes({
  config,
  database,
  hashing,
  personalData,
  instance,
  events,
}: Deps): Route[] {
  return [
    handle(
      requestRegistration,
      everyone,
      {
        limits: [requests],
        answersSecret: true,
        withoutTransaction:
          'the handler opens a transaction after it has hashed the password, which takes long',
      },
      async (call) => {
        const { input, viewer, limit, fail } = call
        const { name, email, passcode, writingSample, answer } = input
        const settings = instance.settings()
        const { registration, registrationQuestion: question } = settings
        if (registration !== 'approval') fail('RegistrationNotByApproval')
        const agrees = asksForAgreement(settings)
        if (agrees && input.agrees !== true) fail('AgreementRequired')
        if (question !== '' && isBlank(answer))
          fail('InvalidInput', { fields: { answer: 'Please answer the question.' } })
        const place = { database, config, instance }
        await refuseUnusable(call, place, { email, ...splitName(name) }, passcode)
        const secret = await hashing.hash(passcode)
        await database.transaction(async (tx) => {
          await lockEmail(tx, email)
          if (await isEmailTaken(tx, email)) refuse(fail, 'EmailTaken', 'email')
          if ((await countRequests(tx)) >= requestsMax) fail('RegistrationQueueFull')
          await limit(requestsOfDay)
          // The guest may be deleted meanwhile, and has then left nothing to take over.
          const isGuest = viewer.kind === 'guest' && (await lockPerson(tx, viewer.id))
          await addRequest(tx, {
            id: newId(call),
            email,
            secret,
            person: { name, writingSample, question, answer, agrees },
            guestId: isGuest ? viewer.id : null,
          })
        })
        return done
      },
    ),

    handle(listRegistrationRequests, admins, async ({ db }) => listRequests(db)),

    handle(approveRegistration, admins, async ({ db, params, random, audit, fail }) => {
      const waiting = (await findWaiting(db, params.id)) ?? fail('RegistrationRequestNotFound')
      if (refusesEmail(instance.settings(), waiting.email)) fail('EmailRefused', { error: emailRefused })
      // In the order of all registrations: the address, the guest, the request. A deletion has the guest before the request.
      await lockEmail(db, waiting.email)
      if (waiting.guestId !== null) await lockPersonForDeletion(db, waiting.guestId)
      const request = (await takeRequest(db, params.id)) ?? fail('RegistrationRequestNotFound')
      const { email, secret, createdAt, guestId, person } = request
      const { name, writingSample, agrees } = person
      // An admin may have got such a name since.
      if (await isReservedName(db, fullNameOf(splitName(name)))) fail('NameReserved', { error: nameReserved })
      const added = await addPerson(db, random, { ...splitName(name), email, secret, writingSample })
      if (typeof added === 'string') return fail('EmailTaken')
      if (agrees) await db.update(users).set({ agreedAt: createdAt }).where(eq(users.id, added.id))
      if (guestId !== null) await takeOverGuest(db, guestId, added.id, personalData)
      await events.emitWithin('confirmationDue', db, added.id)
      await audit('registration-approved', { subjectId: added.id })
      return done
    }),

    handle(refuseRegistration, admins, async ({ db, params, audit, fail }) => {
      if (!(await refuseRequest(db, params.id))) fail('RegistrationRequestNotFound')
      await audit('registration-refused', { subjectId: params.id })
      return done
    }),

    handle(createRegistrationLink, admins, { answersSecret: true, limits: [newLinks] }, async (call) => {
      const { db, input, random, audit, fail } = call
      if ((await countLinks(db)) >= linksMax) fail('TooManyRegistrationLinks')
      const token = newToken(random)
      const link = await addLink(db, { id: newId(call), token, ...input })
      const { maxUses, days } = input
      await audit('registration-link', {
        subjectId: link.id,
        details: { people: String(maxUses), days: String(days) },
      })
      return { ...link, token }
    }),

    handle(listRegistrationLinks, admins, async ({ db }) => listLinks(db)),

    handle(endRegistrationLink, admins, async ({ db, params, audit, fail }) => {
      if (!(await removeLink(db, params.id))) fail('RegistrationLinkNotFound')
      await audit('registration-link-ended', { subjectId: params.id })
      return done
    }),

    handle(
      checkRegistrationLink,
      everyone,
      { withoutTransaction: 'nothing is stored', limits: [lookups], isRepeatable: true },
      async ({ db, input: { token }, fail }) => {
        if (!(await isGoodLink(db, token))) fail('RegistrationLinkRefused')
        return done
      },
    ),
  ]
}
