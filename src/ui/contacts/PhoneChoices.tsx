import { Trans, useLingui } from '@lingui/react/macro'
import { useId } from 'react'
import { type CountryCode, findDestination } from '../../../domain/numbers/destinations.ts'
import { checkRecipientPhone, groupPhone } from '../../../domain/numbers/phone.ts'
import { COUNTRY_NAMES } from '../countryNames.ts'
import { DisappearingButton } from '../DisappearingButton.tsx'
import classes from './PhoneChoices.module.css'

/** `country`: its numbers come first. */
export function PhoneChoices({
  phones,
  country,
  isClosed = false,
  onChoose,
}: {
  phones: readonly string[]
  country?: CountryCode | undefined
  isClosed?: boolean
  onChoose: (phone: string) => void
}) {
  const { i18n } = useLingui()
  const question = useId()
  if (phones.length < 2) return null
  const isOwn = (phone: string) => findDestination(phone)?.code === country
  return (
    <fieldset aria-labelledby={question} className={classes.choices}>
      <p id={question} role="status">
        <Trans>Quel est le bon numéro ?</Trans>
      </p>
      {[...phones]
        .sort((one, other) => Number(isOwn(other)) - Number(isOwn(one)))
        .map((phone) => {
          const destination = findDestination(phone)
          const name = destination && i18n._(COUNTRY_NAMES[destination.code])
          const isIncomplete = destination && !checkRecipientPhone(phone).ok
          return (
            <DisappearingButton
              key={phone}
              variant="light"
              disabled={isClosed}
              onClick={() => onChoose(groupPhone(phone))}
            >
              {groupPhone(phone)}
              {name && ` (${name})`}
              {isIncomplete && <Trans> : il manque des chiffres</Trans>}
            </DisappearingButton>
          )
        })}
    </fieldset>
  )
}
