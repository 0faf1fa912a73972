import { expect, type Page } from '@playwright/test'
import type { DeliveryNews } from '../../domain/schemas/delivery.ts'
import { writeContact } from '../steps/contacts.ts'
import { type Person, somebody } from '../steps/people.ts'
import { writePlan as storePlan, writeLedger } from '../steps/plans.ts'
import { enter } from '../steps/waysIn.ts'
import { words } from '../words.ts'
import type { Stage } from './screen.ts'

/** A message over the page stays for ten minutes instead of four seconds. */
export const holdToasts = (page: Page) => changeDelay(page, 4000, 600_000)

/** A good message goes as soon as it has come: nobody waits two seconds for each screen. */
export const hurryToasts = (page: Page) => changeDelay(page, 2000, 0)

export const changeDelay = (page: Page, from: number, to: number) =>
  page.addInitScript(
    ([from, to]) => {
      const start = window.setTimeout
      window.setTimeout = ((work: () => void, delay?: number) =>
        start(work, delay === from ? to : delay)) as typeof setTimeout
    },
    [from, to],
  )

interface Registered extends Person {
  readonly uid: string
}

export async function register({ server }: Stage): Promise<Registered> {
  const person = somebody()
  return { ...person, uid: await server.register(person) }
}

/** A registered person on the home screen. */
export async function signInAs({ page, server }: Stage, person: Person) {
  await hurryToasts(page)
  await enter(page, server, person)
}

export async function arrive(stage: Stage) {
  await signInAs(stage, await register(stage))
  await expect(stage.page.getByText(words.noTransfers)).toBeVisible()
}

export async function registerWithLedger(
  stage: Stage,
  use: { readonly recordedCents: number; readonly reservedCents: number },
): Promise<Registered> {
  const person = await register(stage)
  const { uid } = person
  await writeLedger(stage.server, uid, use.recordedCents, use.reservedCents)
  return person
}

export const inDays = (days: number) => new Date(Date.now() + days * 24 * HOUR)

/** Somebody with Premium, since eighteen days, and three transfers left. */
export async function registerWithPlan(stage: Stage, change: Record<string, unknown>): Promise<Registered> {
  const person = await register(stage)
  await writePlan(stage, person, change)
  return person
}

const writePlan = ({ server }: Stage, person: Registered, change: object) =>
  storePlan(server, person, { transactionsLeft: 3, startDate: inDays(-18), ...change })

/** A person with transfers to two of three contacts; one of them has a number that nothing can be sent to. */
export async function registerWithContacts(stage: Stage): Promise<Registered> {
  const person = await registerWithHistory(stage)
  const people = [
    ['Mariama Bah', '+224664112233'],
    ['Élodie Marchand-Fontainebleau de Saint-Germain', '+33612345678'],
    ['Ousmane (Dakar)', '+221771234567'],
    ['Ibrahima', '+224620000001'],
  ] as const
  for (const [name, phone] of people) await writeContact(stage.server, person.uid, name, phone)
  return person
}

const HOUR = 3_600_000

const PAST = [
  { id: 'pi_3Nkindia0001', hoursAgo: 0, status: 'completed', phone: '+224620000000', to: 'GN', net: 145.5 },
  { id: 'pi_3Nkindia0002', hoursAgo: 26, status: 'pending', phone: '+224664112233', to: 'GN', net: 48.5 },
  { id: 'pi_3Nkindia0003', hoursAgo: 75, status: 'failed', phone: '+33612345678', to: 'FR', net: 97 },
  {
    id: 'pi_3Nkindia0004',
    hoursAgo: 24 * 40,
    status: 'canceled',
    phone: '+15145550123',
    to: 'CA',
    net: 242.5,
  },
] as const

const DESTINATIONS = {
  GN: {
    rate: 10_600,
    decimals: 0,
    method: 'mtn_money',
    stored: { code: 'GN', name: 'Guinea', currency: 'GNF', flag: '🇬🇳' },
  },
  FR: {
    rate: 1,
    decimals: 2,
    method: 'wero',
    stored: { code: 'FR', name: 'France', currency: 'EUR', flag: '🇫🇷' },
  },
  CA: {
    rate: 1.47,
    decimals: 2,
    method: 'interac',
    stored: { code: 'CA', name: 'Canada', currency: 'CAD', flag: '🇨🇦' },
  },
} as const

/** A person with a transfer of each status, to each country; `earlier` by so many hours. */
export async function registerWithHistory(stage: Stage, earlier = 0): Promise<Registered> {
  const person = await register(stage)
  for (const past of PAST) await writeTransfer(stage, person, { ...past, hoursAgo: past.hoursAgo + earlier })
  return person
}

interface Past {
  readonly id: string
  readonly hoursAgo: number
  readonly status: string
  readonly phone: string
  readonly to: keyof typeof DESTINATIONS
  readonly net: number
  readonly delivery?: DeliveryNews
}

async function writeTransfer(
  { server }: Stage,
  { uid }: Registered,
  { id, hoursAgo, status, phone, to, net, delivery }: Past,
) {
  const { rate, decimals, method, stored } = DESTINATIONS[to]
  const createdAt = new Date(Date.now() - hoursAgo * HOUR)
  const unique = `${id}${uid.slice(0, 10)}`
  await server.write(`transactions/${unique}`, {
    id: unique,
    senderId: uid,
    type: 'sent',
    recipientPhone: phone,
    amount: net,
    fees: Math.round((net / 97) * 300) / 100,
    exchangeRate: rate,
    convertedAmount: Number((net * rate).toFixed(decimals)),
    sourceCurrency: 'EUR',
    destinationCurrency: stored.currency,
    destination: stored,
    status,
    createdAt,
    settledAt: createdAt,
    estimatedArrival: new Date(createdAt.getTime() + HOUR),
    description: `Transfer to ${phone.slice(0, 4)}*******${phone.slice(-2)}`,
    paymentMethod: 'card',
    couponCode: null,
    receivingMethod: method,
    ...(delivery && { delivery }),
  })
}

/** Where a delivery may stand, in the order of the rows. */
export const DELIVERED = ['handedOver', 'delivered', 'late', 'failed', 'paidBack'] as const

/** A person with a transfer in each of these, the first one a quarter of an hour ago. */
export async function registerWithDeliveries(stage: Stage): Promise<Registered> {
  const person = await register(stage)
  for (const [index, standing] of DELIVERED.entries()) {
    const hoursAgo = 0.25 + index / 100
    const isGivenBack = standing === 'failed' || standing === 'paidBack'
    await writeTransfer(stage, person, {
      id: `pi_3Nkindia001${index}`,
      hoursAgo,
      status: isGivenBack ? 'failed' : 'completed',
      phone: `+22466000045${index}`,
      to: 'GN',
      net: 97 + index,
      delivery: newsOf(standing, Date.now() - hoursAgo * HOUR),
    })
  }
  return person
}

/** The transfer that was handed over has arrived. */
export const deliver = (stage: Stage, person: Registered) =>
  writeTransfer(stage, person, {
    id: 'pi_3Nkindia0010',
    hoursAgo: 0.25,
    status: 'completed',
    phone: '+224660000450',
    to: 'GN',
    net: 97,
    delivery: newsOf('delivered', Date.now() - HOUR / 4),
  })

function newsOf(standing: (typeof DELIVERED)[number], paidAt: number): DeliveryNews {
  const begun: DeliveryNews = {
    stage: standing === 'late' ? 'ordered' : standing,
    by: 'mtn',
    isLate: standing === 'late',
    handedOverAt: standing === 'late' ? null : Math.round(paidAt) + 5000,
    deliveredAt: null,
    proof: null,
    failure: null,
  }
  if (standing === 'delivered')
    return { ...begun, deliveredAt: Math.round(paidAt) + 120_000, proof: '363440463' }
  if (standing === 'failed' || standing === 'paidBack') return { ...begun, failure: 'recipientUnknown' }
  return begun
}
