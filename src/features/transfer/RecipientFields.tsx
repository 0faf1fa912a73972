import { Trans, useLingui } from '@lingui/react/macro'
import { type ComponentProps, memo, type ReactNode, useId } from 'react'
import { findDestination, getDestination } from '../../../domain/numbers/destinations.ts'
import { parsePhone } from '../../../domain/numbers/phone.ts'
import { getWallets } from '../../../domain/numbers/wallets.ts'
import type { TransferDraft } from '../../../domain/transfers/shapes/draftSchema.ts'
import type { TransferProblem } from '../../../domain/transfers/transfer.ts'
import { Choice } from '../../ui/Choice.tsx'
import { useAskedPhone } from '../../ui/contacts/useAskedPhone.ts'
import { COUNTRY_NAMES } from '../../ui/countryNames.ts'
import { DisappearingButton } from '../../ui/DisappearingButton.tsx'
import { Flag } from '../../ui/Flag.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { AlertIcon, ContactsIcon } from '../../ui/icons/common.ts'
import { useLazyComponent } from '../../ui/lazyComponent.ts'
import { WalletIcon } from '../../ui/WalletIcon.tsx'
import { getTransferProblemText } from './formMessages.ts'
import classes from './RecipientFields.module.css'

/** This element describes the confirmation of the number. */
export const RECIPIENT_FACTS_ID = 'recipient'

const loadPhoneChoices = async () => (await import('../../ui/contacts/PhoneChoices.tsx')).PhoneChoices

export interface FormPart {
  isClosed: boolean
  onChange: (patch: Partial<TransferDraft>) => void
}

/* Typing an amount does not render the memoized parts again. Specification, sections 4 and 5. */

export const WalletChoice = memo(function WalletChoice({
  country,
  receivingMethod,
  problem,
  isClosed,
  onChange,
}: Pick<TransferDraft, 'country' | 'receivingMethod'> & FormPart & { problem: TransferProblem | undefined }) {
  const { t, i18n } = useLingui()
  return (
    <Choice
      legend={t`Mode de réception`}
      name="receivingMethod"
      value={receivingMethod}
      options={getWallets(country).map((wallet) => ({
        value: wallet.id,
        label: wallet.name,
        picture: <WalletIcon method={wallet.id} />,
      }))}
      isClosed={isClosed}
      onChange={(method) => onChange({ receivingMethod: method })}
      error={problem && getTransferProblemText(problem, i18n)}
    />
  )
})

export const PhoneField = memo(function PhoneField({
  country,
  phone,
  problem,
  isClosed,
  onChange,
  onLeave,
  onContacts,
}: Pick<TransferDraft, 'country' | 'phone'> &
  FormPart & {
    problem: TransferProblem | undefined
    onLeave: (field: 'phone') => void
    onContacts: () => void
  }) {
  const { t, i18n } = useLingui()
  // A full number pasted after a prefix replaces it.
  const typePhone = (text: string) =>
    onChange({ phone: text.replace(/^\+\d{1,3}\s*(?=\+)/, ''), phoneConfirmed: false })
  const { meant: readings, leave } = useAskedPhone(phone, country)
  const isUnclear = readings.length > 1
  const PhoneChoices = useLazyComponent(isUnclear ? loadPhoneChoices : null)
  const otherCountry = findDestination(parsePhone(phone, country))?.code
  return (
    <>
      <PairField
        icon={<Flag code={country} />}
        label={<Trans>Téléphone du bénéficiaire</Trans>}
        problem={problem}
        name="phone"
        type="tel"
        inputMode="tel"
        placeholder={`${getDestination(country).phonePrefix} …`}
        value={phone}
        readOnly={isClosed}
        onChange={(event) => typePhone(event.currentTarget.value)}
        onBlur={() => {
          const text = leave()
          if (text !== phone) onChange({ phone: text })
          onLeave('phone')
        }}
        maxLength={60}
        button={
          <IconButton
            icon={ContactsIcon}
            label={t`Choisir un contact`}
            disabled={isClosed}
            onClick={onContacts}
          />
        }
        remedy={
          problem?.kind === 'phonePrefix' &&
          otherCountry && (
            <DisappearingButton
              variant="subtle"
              disabled={isClosed}
              onClick={() => onChange({ country: otherCountry })}
            >
              <Trans>Choisir plutôt : {i18n._(COUNTRY_NAMES[otherCountry])}</Trans>
            </DisappearingButton>
          )
        }
      />
      {isUnclear && PhoneChoices && (
        <PhoneChoices
          phones={readings}
          country={country}
          isClosed={isClosed}
          onChoose={(choice) => onChange({ phone: choice, phoneConfirmed: false })}
        />
      )}
    </>
  )
})

export const PhoneConfirmation = memo(function PhoneConfirmation({
  checked,
  isNext,
  isClosed,
  onChange,
}: FormPart & { checked: boolean; isNext: boolean }) {
  return (
    <label className={classes.tick} data-next={(isNext && !checked) || undefined}>
      <input
        type="checkbox"
        name="phoneConfirmed"
        aria-describedby={RECIPIENT_FACTS_ID}
        checked={checked}
        aria-disabled={isClosed}
        onChange={(event) => onChange({ phoneConfirmed: event.currentTarget.checked })}
      />
      <span>
        <Trans>Je confirme que le numéro de téléphone est correct</Trans>
      </span>
    </label>
  )
})

/** A line of the recipient's card. */
export function PairField({
  icon,
  label,
  problem,
  button,
  remedy,
  ...input
}: ComponentProps<'input'> & {
  icon: ReactNode
  label: ReactNode
  problem: TransferProblem | undefined
  button?: ReactNode
  remedy?: ReactNode
}) {
  const { i18n } = useLingui()
  const problemId = useId()
  return (
    <>
      <div className={classes.number} data-wrong={problem ? true : undefined}>
        {icon}
        <label>
          <span>{label}</span>
          <input
            autoComplete="off"
            aria-invalid={problem ? true : undefined}
            aria-describedby={problem ? problemId : undefined}
            {...input}
          />
        </label>
        {button}
      </div>
      {problem && (
        <div className={classes.problem}>
          <p id={problemId}>
            <AlertIcon isSmall />
            <span>{getTransferProblemText(problem, i18n)}</span>
          </p>
          {remedy}
        </div>
      )}
    </>
  )
}
