import { Trans, useLingui } from '@lingui/react/macro'
import { memo } from 'react'
import { parsePhone } from '../../../domain/numbers/phone.ts'
import { NAME_MAX_LENGTH } from '../../../domain/people/name.ts'
import type { RecipientFacts } from '../../../domain/people/recipientName.ts'
import type { TransferDraft } from '../../../domain/transfers/shapes/draftSchema.ts'
import type { TransferProblem } from '../../../domain/transfers/transfer.ts'
import { AlertIcon, PersonIcon } from '../../ui/icons/common.ts'
import { getTransferProblemText } from './formMessages.ts'
import classes from './RecipientFields.module.css'
import { useScrollToConfirmation } from './useScrollToConfirmation.ts'

export const RecipientName = memo(function RecipientName({
  phone,
  country,
  name,
  facts,
  problem,
  isConfirmationNext,
  isClosed,
  onChange,
  onLeave,
}: Pick<TransferDraft, 'phone' | 'country'> & {
  name: string
  facts: RecipientFacts | null
  problem: TransferProblem | undefined
  isConfirmationNext: boolean
  isClosed: boolean
  onChange: (patch: Partial<TransferDraft>) => void
  onLeave: (field: 'recipientName') => void
}) {
  const { i18n } = useLingui()
  useScrollToConfirmation(isConfirmationNext)
  if (!facts || facts.nameQuestion === 'none' || facts.phone !== parsePhone(phone, country)) return null
  return (
    <div className={classes.name}>
      <div className={classes.number} data-wrong={problem ? true : undefined}>
        <PersonIcon />
        <label>
          <span>
            {facts.nameQuestion === 'required' ? (
              <Trans>Nom du bénéficiaire</Trans>
            ) : (
              <Trans>Nom du bénéficiaire (facultatif)</Trans>
            )}
          </span>
          <input
            name="recipientName"
            autoComplete="off"
            autoCapitalize="words"
            enterKeyHint="next"
            value={name}
            readOnly={isClosed}
            aria-invalid={problem ? true : undefined}
            aria-describedby={problem ? 'recipient-name-problem' : undefined}
            onChange={(event) => onChange({ recipientName: event.currentTarget.value })}
            onBlur={() => onLeave('recipientName')}
            maxLength={NAME_MAX_LENGTH}
          />
        </label>
      </div>
      {problem && (
        <div className={classes.problem}>
          <p id="recipient-name-problem">
            <AlertIcon isSmall />
            <span>{getTransferProblemText(problem, i18n)}</span>
          </p>
        </div>
      )}
    </div>
  )
})
