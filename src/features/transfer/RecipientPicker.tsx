import { Trans, useLingui } from '@lingui/react/macro'
import { type MouseEvent, memo, type ReactNode, useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { findDestination } from '../../../domain/numbers/destinations.ts'
import { groupPhone, parsePhone } from '../../../domain/numbers/phone.ts'
import { pickTellingDigits } from '../../../domain/numbers/tellingDigits.ts'
import { buildRepeatDraft } from '../../../domain/transfers/knownRecipients.ts'
import type { TransferDraft } from '../../../domain/transfers/shapes/draftSchema.ts'
import { deviceStore } from '../../browser/storage.ts'
import { findOfferedRecipients } from '../../cache/recipients.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { COUNTRY_NAMES } from '../../ui/countryNames.ts'
import { PlusIcon } from '../../ui/icons/common.ts'
import { focusField } from '../../ui/useForm.ts'
import { useLanguage } from '../../ui/useLanguage.ts'
import { useLiveQuery } from '../../ui/useLiveQuery.ts'
import type { FormPart } from './RecipientFields.tsx'
import classes from './RecipientPicker.module.css'

/**
 * The list's space is reserved before it loads, and changes only while the form is out of sight, so that
 * nothing moves under a finger.
 */
export const RecipientPicker = memo(function RecipientPicker({
  uid,
  phone,
  country,
  isClosed,
  isCovered,
  onChange,
}: Pick<TransferDraft, 'phone' | 'country'> & FormPart & { uid: string; isCovered: boolean }) {
  const { i18n } = useLingui()
  const language = useLanguage()
  const people = useLiveQuery(uid, findOfferedRecipients)
  const isSomebodyKnown = people && people.length > 0
  const [hasPlace, setPlace] = useState(() => !deviceStore.get('nobodyKnown'))

  useLayoutEffect(() => {
    if (isSomebodyKnown === undefined) return
    if (isCovered) setPlace(isSomebodyKnown)
    const placeIfHidden = () =>
      document.visibilityState === 'hidden' && flushSync(() => setPlace(isSomebodyKnown))
    // The capture phase runs before the snapshot for the next start is taken.
    document.addEventListener('visibilitychange', placeIfHidden, true)
    return () => document.removeEventListener('visibilitychange', placeIfHidden, true)
  }, [isCovered, isSomebodyKnown])

  useLayoutEffect(() => {
    if (hasPlace === !deviceStore.get('nobodyKnown')) return
    deviceStore.set('nobodyKnown', hasPlace ? null : true)
    // The earlier snapshot has the other layout.
    deviceStore.set('home', null)
  }, [hasPlace])

  if (!hasPlace) return null
  const number = parsePhone(phone, country)
  const getCountryName = (recipient: string) => {
    const destination = findDestination(recipient)
    return destination && i18n._(COUNTRY_NAMES[destination.code])
  }
  const nameless = people?.filter(({ name }) => name === null).map(({ phone }) => phone) ?? []
  const selected = people?.find((person) => person.phone === number)
  const goToNumber = ({ currentTarget: { form } }: Press) => {
    if (selected) onChange({ phone: '', phoneConfirmed: false })
    focusField(form, 'phone')
  }
  return (
    <fieldset className={classes.people}>
      <legend className="unseen">
        <Trans>À qui ?</Trans>
      </legend>
      <div className={classes.row}>
        {people?.map((person) => (
          <Person
            key={person.phone}
            circle={
              <Avatar
                name={person.name}
                phone={person.phone}
                digits={pickTellingDigits(person.phone, nameless)}
              />
            }
            label={person.name === null ? getCountryName(person.phone) : firstName(person.name)}
            isChosen={person === selected}
            isClosed={isClosed}
            onPress={({ currentTarget: { form } }) => {
              onChange(buildRepeatDraft(person, language))
              // On a short phone, the confirmation to press next is below the window.
              form?.querySelector('[data-pair]')?.scrollIntoView({ block: 'nearest' })
            }}
          >
            {person.name ?? groupPhone(person.phone)}
          </Person>
        ))}
        <Person
          circle={
            <span className={classes.more}>
              <PlusIcon />
            </span>
          }
          label={<Trans>Autre</Trans>}
          isClosed={isClosed}
          onPress={goToNumber}
        />
      </div>
    </fieldset>
  )
})

type Press = MouseEvent<HTMLButtonElement>

function Person({
  circle,
  label,
  isChosen,
  isClosed,
  onPress,
  children,
}: {
  circle: ReactNode
  label: ReactNode
  isChosen?: boolean
  isClosed: boolean
  onPress: (press: Press) => void
  children?: string
}) {
  return (
    <button
      type="button"
      translate="no"
      className={classes.person}
      aria-pressed={isChosen}
      disabled={isClosed}
      onClick={onPress}
    >
      <span aria-hidden="true">{circle}</span>
      <span className={classes.name} aria-hidden={children !== undefined}>
        {label}
      </span>
      <span className="unseen">{children}</span>
    </button>
  )
}

const firstName = (name: string) => name.split(' ')[0]
