import { Trans, useLingui } from '@lingui/react/macro'
import { Button, TextInput } from '@mantine/core'
import { memo } from 'react'
import { destinationByCode, destinationOf } from '../../../domain/destinations.ts'
import { readPhone, writtenOut } from '../../../domain/phone.ts'
import type { TransferDraft, TransferProblem } from '../../../domain/transfer.ts'
import { walletsOf } from '../../../domain/wallets.ts'
import { Choice } from '../../ui/Choice.tsx'
import { COUNTRY_NAMES } from '../../ui/countryNames.ts'
import { PassingButton } from '../../ui/PassingButton.tsx'
import { WalletIcon } from '../../ui/WalletIcon.tsx'
import { formMessage } from './formMessages.ts'

type Field = 'country' | 'phone' | 'receivingMethod'

/**
 * Who receives, and how. Renders apart from the amount, so that a keystroke there costs a cheap phone nothing here. Specification,
 * sections 4 and 5.
 */
export const Recipient = memo(function Recipient({
  country,
  phone,
  receivingMethod,
  phoneProblem,
  receivingMethodProblem,
  isClosed,
  onChange,
  onLeave,
  onContacts,
}: Pick<TransferDraft, Field> & {
  phoneProblem: TransferProblem | undefined
  receivingMethodProblem: TransferProblem | undefined
  isClosed: boolean
  onChange: (patch: Partial<TransferDraft>) => void
  onLeave: (field: 'phone') => void
  /** Opens the list of contacts. */
  onContacts: () => void
}) {
  const { t, i18n } = useLingui()
  const textOf = (problem: TransferProblem | undefined) => problem && formMessage(problem, i18n)

  // The field may hold a prefix already. A number that is pasted behind it begins at its own plus sign.
  const typePhone = (typed: string) =>
    onChange({ phone: typed.replace(/^\+\d{1,3}\s*(?=\+)/, ''), phoneConfirmed: false })
  const otherCountry = destinationOf(readPhone(phone, country))?.code

  return (
    <>
      <div>
        <TextInput
          name="phone"
          type="tel"
          label={t`Téléphone du bénéficiaire`}
          inputMode="tel"
          autoComplete="off"
          placeholder={`${destinationByCode(country).phonePrefix} …`}
          value={phone}
          readOnly={isClosed}
          onChange={(event) => typePhone(event.currentTarget.value)}
          onBlur={() => {
            const shown = writtenOut(phone, country)
            if (shown !== phone) onChange({ phone: shown })
            onLeave('phone')
          }}
          error={textOf(phoneProblem)}
          maxLength={60}
        />
        {phoneProblem?.kind === 'phonePrefix' && otherCountry && (
          <PassingButton
            variant="subtle"
            disabled={isClosed}
            onClick={() => onChange({ country: otherCountry })}
          >
            <Trans>Choisir plutôt : {i18n._(COUNTRY_NAMES[otherCountry])}</Trans>
          </PassingButton>
        )}
        <Button variant="subtle" disabled={isClosed} onClick={onContacts}>
          <Trans>Choisir un contact</Trans>
        </Button>
      </div>
      <Choice
        legend={t`Mode de réception`}
        name="receivingMethod"
        value={receivingMethod}
        options={walletsOf(country).map((wallet) => ({
          value: wallet.id,
          label: wallet.name,
          picture: <WalletIcon wallet={wallet} />,
        }))}
        isClosed={isClosed}
        onChange={(chosen) => onChange({ receivingMethod: chosen })}
        error={textOf(receivingMethodProblem)}
      />
    </>
  )
})
