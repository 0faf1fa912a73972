import { useEffect, useState } from 'react'
import type { SignInMethod } from '../../services/accountChanges.ts'
import { EmailSection } from './EmailSection.tsx'
import { NameSection } from './NameSection.tsx'
import { PasswordSection } from './PasswordSection.tsx'
import { PhoneSection } from './PhoneSection.tsx'
import classes from './ProfilePage.module.css'
import { useProof } from './useProof.tsx'

/** Name, address, number and password of the person. Specification, sections 2, 5 and 8. */
export function ProfilePage({
  name,
  email,
  phone,
}: {
  name: string
  email: string | null
  phone: string | null
}) {
  const [methods, setMethods] = useState<readonly SignInMethod[]>([])
  const { proven, proof } = useProof(methods, phone)

  useEffect(() => {
    let isGone = false
    import('../../services/accountChanges.ts')
      .then(({ signInMethods }) => signInMethods())
      .then((found) => !isGone && setMethods(found))
      .catch(() => undefined)
    return () => {
      isGone = true
    }
  }, [])

  return (
    <div className={classes.sections}>
      <NameSection name={name} />
      <EmailSection email={email} proven={proven} />
      <PhoneSection phone={phone} isForSignIn={methods.includes('phone')} proven={proven} />
      {methods.includes('password') && <PasswordSection />}
      {proof}
    </div>
  )
}
