import { Trans } from '@lingui/react/macro'
import { memo, useCallback } from 'react'
import type { CountryCode } from '../../../domain/destinations.ts'
import { checkRecipientPhone, groupPhone, readPhone, spellPhone } from '../../../domain/phone.ts'
import { acquaintanceOf } from '../../../domain/recipient.ts'
import type { UserDatabase } from '../../cache/database.ts'
import { useRefreshContacts } from '../../ui/contacts/useContacts.ts'
import { useCached } from '../../ui/useCached.ts'
import classes from './RecipientCheck.module.css'

/**
 * Shows whose number it is, right before it is confirmed. A contact has its name. A number that this device does not know stands large and in
 * groups, and screen readers read it digit by digit.
 */
export const RecipientCheck = memo(function RecipientCheck({
  uid,
  phone,
  country,
}: {
  uid: string
  phone: string
  country: CountryCode
}) {
  // The names of contacts are needed all over the home screen.
  useRefreshContacts(uid)
  const checked = checkRecipientPhone(readPhone(phone, country), country)
  const number = checked.ok ? checked.value : null
  const known = useCached(
    uid,
    useCallback((database: UserDatabase) => findAcquaintance(database, number), [number]),
  )
  // What was found may still be that of the earlier number.
  if (!known || known.number !== number) return null
  switch (known.kind) {
    case 'contact': {
      const { name } = known
      return (
        <p className={classes.contact}>
          <Trans>
            Pour <strong className={classes.name}>{name}</strong>, votre contact
          </Trans>
        </p>
      )
    }
    case 'sentBefore':
      return null
    case 'firstTime':
      return (
        <div className={classes.firstTime}>
          <p>
            <Trans>Premier envoi à ce numéro. Relisez chaque chiffre :</Trans>
          </p>
          <p className={classes.number} aria-hidden="true">
            {groupPhone(known.number)
              .split(' ')
              .map((group, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the groups of one number stay in their places
                <span key={index}>{group}</span>
              ))}
          </p>
          <p className="unseen">{spellPhone(known.number)}</p>
        </div>
      )
  }
})

async function findAcquaintance({ contacts, transactions }: UserDatabase, number: string | null) {
  if (number === null) return null
  const [people, transfers] = await Promise.all([
    contacts.where('phone').equals(number).toArray(),
    transactions.where('recipientPhone').equals(number).toArray(),
  ])
  return { number, ...acquaintanceOf(number, people, transfers) }
}
