import { Trans, useLingui } from '@lingui/react/macro'
import { memo } from 'react'
import { parsePhone } from '../../../domain/numbers/phone.ts'
import { NAME_MAX_LENGTH } from '../../../domain/people/name.ts'
import type { RecipientFacts } from '../../../domain/people/recipientName.ts'
import type { TransferDraft, TransferProblem } from '../../../domain/transfers/transfer.ts'
import { runAfterPress } from '../../browser/press.ts'
import { AlertIcon, PersonIcon } from '../../ui/icons/common.ts'
import { getTransferProblemText } from './formMessages.ts'
import classes from './RecipientFields.module.css'

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
    <div ref={showConfirmation} className={classes.name}>
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

/** A phone can't show the confirmation below a transfer on its way and the known recipients. */
function showConfirmation(part: HTMLElement | null) {
  const pair = part?.closest('[data-pair]')
  // Only for a user who types the number: a restored form starts at its top.
  if (!pair?.querySelector('[name=phone]:focus')) return
  runAfterPress(() => pair.scrollIntoView({ block: 'nearest' }))
}
