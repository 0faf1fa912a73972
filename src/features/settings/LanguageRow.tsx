import { Trans } from '@lingui/react/macro'
import { LANGUAGE_NAMES, LANGUAGES } from '../../ui/i18n.ts'
import { GlobeIcon } from '../../ui/icons/common.ts'
import { useLanguage } from '../../ui/useLanguage.ts'
import { useSetLanguage } from '../../ui/useSetLanguage.ts'
import { SelectRow } from './SelectRow.tsx'

export const LanguageRow = () => (
  <SelectRow
    icon={GlobeIcon}
    title={<Trans>Langue</Trans>}
    value={useLanguage()}
    options={LANGUAGES}
    names={LANGUAGE_NAMES}
    onChange={useSetLanguage()}
  />
)
