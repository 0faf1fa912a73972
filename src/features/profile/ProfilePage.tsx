import { Trans } from '@lingui/react/macro'
import { Loader } from '@mantine/core'
import sections from '../../ui/account/Section.module.css'
import { useProof } from '../../ui/account/useProof.tsx'
import { useSignInMethods } from '../../ui/account/useSignInMethods.ts'
import { Row, Rows } from '../../ui/Rows.tsx'
import { EmailSection } from './EmailSection.tsx'
import { NameSection } from './NameSection.tsx'
import { PhoneSection } from './PhoneSection.tsx'

/** Name, address and number of the person, and the way to the password. Specification, sections 2, 5 and 8. */
export function ProfilePage({
  name,
  email,
  phone,
  onSecurity,
}: {
  name: string
  email: string | null
  phone: string | null
  onSecurity: () => void
}) {
  const methods = useSignInMethods()
  const { proven, proof } = useProof(methods, phone)
  return (
    <div className={sections.sections}>
      <NameSection name={name} />
      <EmailSection email={email} proven={proven} />
      {methods ? (
        <>
          <PhoneSection phone={phone} isForSignIn={methods.includes('phone')} proven={proven} />
          <Rows>
            <Row
              onOpen={onSecurity}
              note={<Trans>Mot de passe, autres appareils, suppression du compte</Trans>}
            >
              <Trans>Sécurité</Trans>
            </Row>
          </Rows>
        </>
      ) : (
        // The last of the page: what comes in its place pushes nothing away.
        <Loader />
      )}
      {proof}
    </div>
  )
}
