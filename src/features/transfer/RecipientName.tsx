import { Trans } from '@lingui/react/macro'
import { memo } from 'react'
import { parsePhone } from '../../../domain/numbers/phone.ts'
import { NAME_MAX_LENGTH } from '../../../domain/people/name.ts'
import type { RecipientFacts } from '../../../domain/people/recipientName.ts'
import type { TransferDraft } from '../../../domain/transfers/shapes/draftSchema.ts'
import type { TransferProblem } from '../../../domain/transfers/transfer.ts'
import { PersonIcon } from '../../ui/icons/common.ts'
import classes from './RecipientFields.module.css'
import { type FormPart, PairField } from './RecipientFields.tsx'
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
}: Pick<TransferDraft, 'phone' | 'country'> &
  FormPart & {
    name: string
    facts: RecipientFacts | null
    problem: TransferProblem | undefined
    isConfirmationNext: boolean
    onLeave: (field: 'recipientName') => void
  }) {
  useScrollToConfirmation(isConfirmationNext)
  if (!facts || facts.nameQuestion === 'none' || facts.phone !== parsePhone(phone, country)) return null
  return (
    <div className={classes.name}>
      <PairField
        icon={<PersonIcon />}
        label={
          facts.nameQuestion === 'required' ? (
            <Trans>Nom du bénéficiaire</Trans>
          ) : (
            <Trans>Nom du bénéficiaire (facultatif)</Trans>
          )
        }
        problem={problem}
        name="recipientName"
        autoCapitalize="words"
        enterKeyHint="next"
        value={name}
        readOnly={isClosed}
        onChange={(event) => onChange({ recipientName: event.currentTarget.value })}
        onBlur={() => onLeave('recipientName')}
        maxLength={NAME_MAX_LENGTH}
      />
    </div>
  )
})
