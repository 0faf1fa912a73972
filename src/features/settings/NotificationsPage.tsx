import { Trans, useLingui } from '@lingui/react/macro'
import { Checkbox } from '@mantine/core'
import type { ReactNode } from 'react'
import sections from '../../ui/account/SettingSection.module.css'
import {
  type Announcement,
  setAnnouncementEnabled,
  useIsAnnouncementEnabled,
} from '../../ui/announcements.ts'
import check from './Check.module.css'
import { PushChoice } from './PushChoice.tsx'
import classes from './Settings.module.css'

/** Specification, section 2. */
export function NotificationsPage({ uid }: { uid: string }) {
  return (
    <div className={sections.columns}>
      <InTheApp />
      {import.meta.env.VITE_VAPID_PUBLIC_KEY && <PushChoice uid={uid} />}
    </div>
  )
}

function InTheApp() {
  const { t } = useLingui()
  return (
    <section className={sections.section} aria-labelledby="announcements">
      <h2 id="announcements">
        <Trans>Sur cet appareil</Trans>
      </h2>
      <div className={classes.choices}>
        <p>
          <Trans>
            Ces annonces apparaissent dans l’application quand elle est ouverte. Passerelle n’envoie ni SMS ni
            e-mail à leur sujet.
          </Trans>
        </p>
        <Choice what="arrival" label={t`Arrivée prévue d’un transfert`}>
          <Trans>
            Quand l’heure prévue est passée, pour que vous puissiez vérifier avec le bénéficiaire.
          </Trans>
        </Choice>
        <Choice what="version" label={t`Nouvelle version de l’application`}>
          <Trans>
            Dès qu’elle est prête. Sans cette annonce, elle s’installe quand vous fermez puis rouvrez
            l’application.
          </Trans>
        </Choice>
      </div>
    </section>
  )
}

function Choice({ what, label, children }: { what: Announcement; label: string; children: ReactNode }) {
  return (
    <Checkbox
      checked={useIsAnnouncementEnabled(what)}
      onChange={({ currentTarget: { checked } }) => setAnnouncementEnabled(what, checked)}
      label={label}
      description={children}
      classNames={{ ...check, description: classes.note ?? '' }}
    />
  )
}
