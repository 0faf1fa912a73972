import { Trans, useLingui } from '@lingui/react/macro'
import { memo } from 'react'
import { NAME_MAX_LENGTH } from '../../../domain/name.ts'
import { parsePhone } from '../../../domain/phone.ts'
import type { RecipientFacts } from '../../../domain/recipientName.ts'
import type { TransferDraft, TransferProblem } from '../../../domain/transfer.ts'
import { AlertIcon, PersonIcon } from '../../ui/icons/common.ts'
import { transferProblemText } from './formMessages.ts'
import classes from './RecipientFields.module.css'

/** Asks for the recipient's name, if `facts` say so of the number in the form. */
export const RecipientName = memo(function RecipientName({
  phone,
  country,
  name,
  facts,
  problem,
  isClosed,
  onChange,
  onLeave,
}: Pick<TransferDraft, 'phone' | 'country'> & {
  name: string
  facts: RecipientFacts | null
  problem: TransferProblem | undefined
  isClosed: boolean
  onChange: (patch: Partial<TransferDraft>) => void
  onLeave: (field: 'recipientName') => void
}) {
  const { i18n } = useLingui()
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
            <span>{transferProblemText(problem, i18n)}</span>
          </p>
        </div>
      )}
    </div>
  )
})
