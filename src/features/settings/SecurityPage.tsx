import { Loader } from '@mantine/core'
import sections from '../../ui/account/Section.module.css'
import { useSignInMethods } from '../../ui/account/useSignInMethods.ts'
import { DeleteAccount } from './DeleteAccount.tsx'
import { PasswordSection } from './PasswordSection.tsx'
import { SignOutEverywhere } from './SignOutEverywhere.tsx'

/** The password, the other devices and the end of the account. Specification, sections 2, 5 and 8. */
export function SecurityPage({ phone, onSignOut }: { phone: string | null; onSignOut: () => void }) {
  const methods = useSignInMethods()
  // The password stands above the rest, and how an account is deleted depends on them too.
  if (!methods) return <Loader />
  return (
    <div className={sections.sections}>
      {methods.includes('password') && <PasswordSection />}
      <SignOutEverywhere onDone={onSignOut} />
      <DeleteAccount methods={methods} phone={phone} onDone={onSignOut} />
    </div>
  )
}
