import { Trans, useLingui } from '@lingui/react/macro'
import { SCHEMES } from '../../browser/colorScheme.ts'
import { setColorScheme, useColorScheme } from '../../ui/colorScheme.ts'
import { MoonIcon } from '../../ui/icons/account.ts'
import { SelectRow } from './SelectRow.tsx'

export function SchemeRow() {
  const { t } = useLingui()
  return (
    <SelectRow
      icon={MoonIcon}
      title={<Trans>Apparence</Trans>}
      value={useColorScheme()}
      options={SCHEMES}
      names={{ auto: t`Système`, light: t`Clair`, dark: t`Sombre` }}
      onChange={setColorScheme}
    />
  )
}
