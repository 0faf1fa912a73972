import { randomInt, randomUUID } from 'node:crypto'

export interface Person {
  readonly name: string
  readonly email: string
  readonly password: string
}

export const createPerson = (): Person => ({
  name: 'Aïssatou Diallo',
  email: `aissatou-${randomUUID()}@example.com`,
  password: 'Passerelle1',
})

export interface PhonePerson {
  readonly name: string
  readonly phone: string
}

export const createPhonePerson = (): PhonePerson => ({
  name: 'Mamadou Bah',
  // Some numbers from 0630 on belong to overseas France.
  phone: `+336${String(randomInt(30_000_000)).padStart(8, '0')}`,
})

export const formatFrenchPhone = (phone: string) =>
  phone.replace(/^(\+33)(.)(..)(..)(..)(..)$/, '$1 $2 $3 $4 $5 $6')
