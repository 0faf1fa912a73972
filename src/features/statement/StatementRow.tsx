import { Trans } from '@lingui/react/macro'
import type { ComponentProps } from 'react'
import { SheetRow } from '../../ui/account/SheetRow.tsx'
import { FileIcon } from '../../ui/icons/lists.ts'
import { StatementSheet } from './StatementSheet.tsx'

export const StatementRow = (statement: Omit<ComponentProps<typeof StatementSheet>, 'onClose'>) => (
  <SheetRow
    icon={FileIcon}
    title={<Trans>Relevé mensuel</Trans>}
    note={<Trans>PDF ou tableur, même sans réseau</Trans>}
    sheet={(close) => <StatementSheet {...statement} onClose={close} />}
  />
)
