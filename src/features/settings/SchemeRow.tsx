import { Trans, useLingui } from '@lingui/react/macro'
import { useMantineColorScheme } from '@mantine/core'
import { SCHEMES } from '../../browser/colorScheme.ts'
import { MoonIcon } from '../../ui/icons/account.ts'
import { SelectRow } from './SelectRow.tsx'

export function SchemeRow() {
  const { t } = useLingui()
  // The library would use an inline style sheet, which the security policy forbids.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true })
  return (
    <SelectRow
      icon={MoonIcon}
      title={<Trans>Apparence</Trans>}
      value={colorScheme}
      options={SCHEMES}
      names={{ auto: t`Système`, light: t`Clair`, dark: t`Sombre` }}
      onChange={setColorScheme}
    />
  )
}
