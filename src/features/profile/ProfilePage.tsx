import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { groupPhone } from '../../../domain/numbers/phone.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import sections from '../../ui/account/SettingSection.module.css'
import { SheetRow } from '../../ui/account/SheetRow.tsx'
import { useReauthentication } from '../../ui/account/useReauthentication.tsx'
import { useSignInMethods } from '../../ui/account/useSignInMethods.ts'
import { MailIcon, PersonIcon, PhoneIcon, ShieldIcon } from '../../ui/icons/common.ts'
import { IdentityIcon } from '../../ui/icons/navigation.ts'
import numbers from '../../ui/PhoneNumber.module.css'
import { hasSentCode } from '../../ui/phoneCode/usePhoneCode.ts'
import { Row, Rows } from '../../ui/Row.tsx'
import { EmailSheet } from './EmailSheet.tsx'
import { NameSheet } from './NameSheet.tsx'
import { PhoneSheet } from './PhoneSheet.tsx'
import classes from './ProfilePage.module.css'

/** Specification, sections 2, 5 and 8. */
export function ProfilePage({
  name,
  email,
  phone,
  identityMark,
  onIdentity,
  onSecurity,
}: {
  name: string
  email: string | null
  phone: string | null
  identityMark: ReactNode
  onIdentity: () => void
  onSecurity: () => void
}) {
  const methods = useSignInMethods()
  const { proven, proof } = useReauthentication(methods, phone)
  const isHidden = Boolean(proof)
  // The sheet opens again to enter a code that was sent.
  const [isPhoneOpen, setPhoneOpen] = useState(() => phone !== null && hasSentCode(phone))
  return (
    <div className={sections.columns}>
      <div className={sections.sections}>
        <section className={classes.person}>
          <Avatar name={name} />
          <p>
            <strong>{name}</strong>
            {email && <span>{email}</span>}
          </p>
        </section>
        <Rows>
          <SheetRow
            icon={PersonIcon}
            title={<Trans>Nom</Trans>}
            note={name}
            sheet={(close) => <NameSheet name={name} onClose={close} />}
          />
          <SheetRow
            icon={MailIcon}
            title={<Trans>Adresse e-mail</Trans>}
            note={email ?? <Trans>Aucune</Trans>}
            sheet={(close) => (
              <EmailSheet email={email} proven={proven} isHidden={isHidden} onClose={close} />
            )}
          />
          <Row
            icon={PhoneIcon}
            title={<Trans>Téléphone</Trans>}
            note={phone ? <span className={numbers.phone}>{groupPhone(phone)}</span> : <Trans>Aucun</Trans>}
            isDisabled={!methods}
            onOpen={() => setPhoneOpen(true)}
          />
        </Rows>
      </div>
      <Rows>
        <Row
          icon={IdentityIcon}
          title={<Trans>Vérification d’identité</Trans>}
          value={identityMark}
          onOpen={onIdentity}
        />
        <Row
          icon={ShieldIcon}
          title={<Trans>Sécurité</Trans>}
          note={<Trans>Mot de passe, autres appareils, suppression du compte</Trans>}
          onOpen={onSecurity}
        />
      </Rows>
      {methods && isPhoneOpen && (
        <PhoneSheet
          phone={phone}
          isForSignIn={methods.includes('phone')}
          proven={proven}
          isHidden={isHidden}
          onClose={() => setPhoneOpen(false)}
        />
      )}
      {proof}
    </div>
  )
}
