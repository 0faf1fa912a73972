import { randomInt, randomUUID } from 'node:crypto'

export interface Person {
  readonly name: string
  readonly email: string
  readonly password: string
}

export const somebody = (): Person => ({
  name: 'Aïssatou Diallo',
  email: `aissatou-${randomUUID()}@example.com`,
  password: 'Passerelle1',
})

export interface PhonePerson {
  readonly name: string
  readonly phone: string
}

export const somebodyWithPhone = (): PhonePerson => ({
  name: 'Mamadou Bah',
  phone: `+336${String(randomInt(100_000_000)).padStart(8, '0')}`,
})

/** The number of somebody in France as the forms show it back. */
export const written = (phone: string) => phone.replace(/^(\+33)(.)(..)(..)(..)(..)$/, '$1 $2 $3 $4 $5 $6')
