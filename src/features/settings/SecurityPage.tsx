import { Trans } from '@lingui/react/macro'
import sections from '../../ui/account/SettingSection.module.css'
import { SheetRow } from '../../ui/account/SheetRow.tsx'
import { useSignInMethods } from '../../ui/account/useSignInMethods.ts'
import { LockIcon } from '../../ui/icons/common.ts'
import { Rows } from '../../ui/Row.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { AppLockRow } from './AppLockRow.tsx'
import { DeleteAccount } from './DeleteAccount.tsx'
import { PasswordSheet } from './PasswordSheet.tsx'
import { SignOutEverywhere } from './SignOutEverywhere.tsx'

/** Specification, sections 2, 5 and 8. */
export function SecurityPage({
  uid,
  name,
  phone,
  onSignOut,
}: {
  uid: string
  name: string
  phone: string | null
  onSignOut: () => void
}) {
  const methods = useSignInMethods()
  // The row of the password, above the others, depends on the sign-in methods.
  if (!methods) return <Skeleton />
  return (
    <div className={sections.columns}>
      <Rows>
        {methods.includes('password') && (
          <SheetRow
            icon={LockIcon}
            title={<Trans>Mot de passe</Trans>}
            sheet={(close) => <PasswordSheet onClose={close} />}
          />
        )}
        <AppLockRow uid={uid} name={name} />
        <SignOutEverywhere onDone={onSignOut} />
        <DeleteAccount methods={methods} phone={phone} onDone={onSignOut} />
      </Rows>
    </div>
  )
}
