import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { formatMoneyShort, money } from '../../../domain/money/money.ts'
import { MONTHLY_CAP_EUR_CENTS } from '../../../domain/prices/limits.ts'
import { offlineRefusedStore } from '../../pwa/serviceWorkers.ts'
import sections from '../../ui/account/SettingSection.module.css'
import { SheetRow } from '../../ui/account/SheetRow.tsx'
import { useIsAnnouncementEnabled } from '../../ui/announcements.ts'
import { BellIcon } from '../../ui/icons/account.ts'
import { ShieldIcon } from '../../ui/icons/common.ts'
import { FileIcon } from '../../ui/icons/lists.ts'
import { CouponIcon, HelpIcon, WalletPageIcon } from '../../ui/icons/navigation.ts'
import { LegalLinks } from '../../ui/LegalLinks.tsx'
import { Row } from '../../ui/Row.tsx'
import { Sheet } from '../../ui/Sheet.tsx'
import { useLanguage } from '../../ui/useLanguage.ts'
import { useStore } from '../../ui/useStore.ts'
import { DeviceStorageRow } from './DeviceStorageRow.tsx'
import { LanguageRow } from './LanguageRow.tsx'
import { SchemeRow } from './SchemeRow.tsx'
import { SettingGroup } from './SettingGroup.tsx'
import classes from './Settings.module.css'

/** Specification, section 2. */
export function SettingsPage({
  ownData,
  capLeft,
  plan,
  onWallet,
  onPlans,
  onNotifications,
  onSecurity,
  onContact,
}: {
  ownData: ReactNode
  capLeft: ReactNode
  plan: ReactNode
  onWallet: () => void
  onPlans: () => void
  onNotifications: () => void
  onSecurity: () => void
  onContact: () => void
}) {
  const language = useLanguage()
  const isOfflineRefused = useStore(offlineRefusedStore)
  const cap = formatMoneyShort(money(MONTHLY_CAP_EUR_CENTS, 'EUR'), language)
  return (
    <div className={sections.columns}>
      <div className={sections.sections}>
        <SettingGroup title={<Trans>Envoyer</Trans>}>
          <Row
            icon={WalletPageIcon}
            title={<Trans>Plafond mensuel</Trans>}
            note={
              <>
                <Trans>{cap} par mois, frais compris</Trans>
                <br />
                {capLeft}
              </>
            }
            onOpen={onWallet}
          />
          <Row icon={CouponIcon} title={<Trans>Voir les forfaits</Trans>} note={plan} onOpen={onPlans} />
        </SettingGroup>
        <SettingGroup title={<Trans>Application</Trans>}>
          <LanguageRow />
          <SchemeRow />
          <Row
            icon={BellIcon}
            title={<Trans>Notifications</Trans>}
            note={<AnnouncementState />}
            onOpen={onNotifications}
          />
          <Row
            icon={ShieldIcon}
            title={<Trans>Sécurité</Trans>}
            note={<Trans>Mot de passe, autres appareils, suppression du compte</Trans>}
            onOpen={onSecurity}
          />
          <Row
            icon={HelpIcon}
            title={<Trans>Aide et assistance</Trans>}
            note={<Trans>Téléphone, e-mail, discussion</Trans>}
            onOpen={onContact}
          />
        </SettingGroup>
      </div>
      <SettingGroup title={<Trans>Vos données</Trans>}>
        {ownData}
        <SheetRow
          icon={FileIcon}
          title={<Trans>Informations légales</Trans>}
          note={<Trans>Conditions, confidentialité, réclamations</Trans>}
          sheet={(close) => (
            <Sheet title={<Trans>Informations légales</Trans>} onClose={close}>
              <LegalLinks />
            </Sheet>
          )}
        />
        {/* This row appears late, and must not move anything under a finger. */}
        <DeviceStorageRow />
      </SettingGroup>
      {isOfflineRefused && (
        <p className={classes.note}>
          <Trans>Ce navigateur ne peut pas ouvrir l’application sans réseau. Tout le reste fonctionne.</Trans>
        </p>
      )}
    </div>
  )
}

function AnnouncementState() {
  const isArrivalOn = useIsAnnouncementEnabled('arrival')
  const isVersionOn = useIsAnnouncementEnabled('version')
  return isArrivalOn || isVersionOn ? <Trans>Activées</Trans> : <Trans>Désactivées</Trans>
}
