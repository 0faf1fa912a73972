import { Trans } from '@lingui/react/macro'
import { memo, type ReactNode, useEffect, useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { destinationOf } from '../../../domain/destinations.ts'
import { initialsOf } from '../../../domain/name.ts'
import { draftFor, type KnownRecipient } from '../../../domain/people.ts'
import { groupPhone, readPhone } from '../../../domain/phone.ts'
import type { TransferDraft } from '../../../domain/transfer.ts'
import { deviceStore } from '../../browser/storage.ts'
import { recipientsHere } from '../../cache/recipients.ts'
import { Flag } from '../../ui/Flag.tsx'
import { useCached } from '../../ui/useCached.ts'
import { useLanguage } from '../../ui/useLanguage.ts'
import classes from './People.module.css'

/**
 * Contacts, and those sent to lately: a tap fills in the form as it was for them last. Nothing is shown where nobody is known. Their place
 * is there before they are, and comes or goes only while the form is out of sight, so that nothing ever moves under a finger.
 */
export const People = memo(function People({
  uid,
  phone,
  country,
  isClosed,
  isCovered,
  onChange,
}: Pick<TransferDraft, 'phone' | 'country'> & {
  uid: string
  isClosed: boolean
  /** Whether the form is out of sight. */
  isCovered: boolean
  onChange: (patch: Partial<TransferDraft>) => void
}) {
  const language = useLanguage()
  const people = useCached(uid, recipientsHere)
  const isSomebodyKnown = people && people.length > 0
  const [hasPlace, setPlace] = useState(() => !deviceStore.get('nobodyKnown'))
  if (isCovered && isSomebodyKnown !== undefined && isSomebodyKnown !== hasPlace) setPlace(isSomebodyKnown)

  useEffect(() => {
    if (isSomebodyKnown === undefined) return
    const leave = () => document.visibilityState === 'hidden' && flushSync(() => setPlace(isSomebodyKnown))
    // Before the picture for the next start is taken.
    document.addEventListener('visibilitychange', leave, true)
    return () => document.removeEventListener('visibilitychange', leave, true)
  }, [isSomebodyKnown])

  useLayoutEffect(() => {
    if (hasPlace === !deviceStore.get('nobodyKnown')) return
    deviceStore.set('nobodyKnown', hasPlace ? null : true)
    // The earlier picture has the other place.
    deviceStore.set('home', null)
  }, [hasPlace])

  if (!hasPlace) return null
  const number = readPhone(phone, country)
  const chosen = people?.find((person) => person.phone === number)
  const goToNumber = () => {
    if (chosen) onChange({ phone: '', phoneConfirmed: false })
    document.querySelector<HTMLElement>('form [name=phone]')?.focus()
  }
  return (
    <fieldset className={classes.people}>
      <legend>
        <Trans>À qui ?</Trans>
      </legend>
      <div className={classes.row}>
        {people?.map((person) => (
          <Person
            key={person.phone}
            circle={<Circle {...person} />}
            shown={person.name === null ? endOf(person.phone) : firstName(person.name)}
            isChosen={person === chosen}
            isClosed={isClosed}
            onPress={() => onChange(draftFor(person, language))}
          >
            {person.name ?? groupPhone(person.phone)}
          </Person>
        ))}
        <Person circle="+" shown={<Trans>Autre</Trans>} isClosed={isClosed} onPress={goToNumber} />
      </div>
    </fieldset>
  )
})

function Person({
  circle,
  shown,
  isChosen,
  isClosed,
  onPress,
  children,
}: {
  circle: ReactNode
  shown: ReactNode
  isChosen?: boolean
  isClosed: boolean
  onPress: () => void
  /** What is said, where less is shown. */
  children?: string
}) {
  return (
    <button
      type="button"
      className={classes.person}
      aria-pressed={isChosen}
      disabled={isClosed}
      onClick={onPress}
    >
      <span className={classes.circle} aria-hidden="true">
        {circle}
      </span>
      <span className={classes.name} aria-hidden={children !== undefined}>
        {shown}
      </span>
      <span className="unseen">{children}</span>
    </button>
  )
}

/** Initials, or the flag of a number without a name. */
function Circle({ name, phone }: KnownRecipient) {
  if (name !== null) return initialsOf(name)
  const destination = destinationOf(phone)
  return destination && <Flag code={destination.code} />
}

const firstName = (name: string) => name.split(' ')[0]

/** The end of a number, which tells it from the others. */
const endOf = (phone: string) => `…${phone.slice(-4)}`
