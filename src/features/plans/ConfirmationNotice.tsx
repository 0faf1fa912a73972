import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import type { RenewalConfirmation, Tier } from '../../../domain/account/profileSchema.ts'
import { formatDay } from '../../../domain/common/month.ts'
import { Notice } from '../../ui/Notice.tsx'
import { useLanguage } from '../../ui/useLanguage.ts'
import classes from './Plans.module.css'
import { PLAN_NAMES } from './planMessages.ts'

/** Stripe's page does not lead back, so it opens beside the app. Specification, section 4. */
export function ConfirmationNotice({
  confirmation: { url, keptUntil },
  tier,
  children,
}: {
  confirmation: RenewalConfirmation
  tier: Tier
  children?: ReactNode
}) {
  const name = PLAN_NAMES[tier]
  const date = formatDay(keptUntil ?? 0, useLanguage())
  return (
    <Notice
      kind="warning"
      title={<Trans>Votre banque attend votre confirmation</Trans>}
      action={
        <div className={classes.actions}>
          <Button component="a" variant="light" href={url} target="_blank" rel="noreferrer">
            <Trans>Confirmer le renouvellement</Trans>
          </Button>
          {children}
        </div>
      }
    >
      {keptUntil === null ? (
        <Trans>
          Le renouvellement du forfait {name} n’est pas débité sans elle. Vous gardez le forfait en attendant.
        </Trans>
      ) : (
        <Trans>
          Le renouvellement du forfait {name} n’est pas débité sans elle. Vous gardez le forfait au moins
          jusqu’au {date}.
        </Trans>
      )}
    </Notice>
  )
}
