import { Trans, useLingui } from '@lingui/react/macro'
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { checkEmail } from '../../domain/email.ts'
import { Section } from '../../ui/account/Section.tsx'
import type { Proven } from '../../ui/account/useProof.tsx'
import { UNKNOWN } from '../../ui/failureText.ts'
import { Notice } from '../../ui/Notice.tsx'
import { toast } from '../../ui/toast.ts'
import { useSubmit } from '../../ui/useSubmit.ts'

/** The new address counts once its link was opened. Specification, sections 5, 7 and 8. */
export function EmailSection({ email, proven }: { email: string | null; proven: Proven }) {
  const { t } = useLingui()
  const [typed, setTyped] = useState(email ?? '')
  const [isWrong, setWrong] = useState(false)
  const [sentTo, setSentTo] = useState('')
  const wanted = typed.trim()
  const { isBusy, problem, submit } = useSubmit(async () => {
    setSentTo('')
    const { changeEmail } = await import('../../services/accountChanges.ts')
    if ((await proven(() => changeEmail(wanted))) === 'linkSent') setSentTo(wanted)
    else toast('success', t`Votre adresse e-mail est enregistrée.`)
  }, UNKNOWN.changeEmail)
  return (
    <Section
      title={<Trans>Votre adresse e-mail</Trans>}
      submitLabel={<Trans>Changer l’adresse e-mail</Trans>}
      isBusy={isBusy}
      problem={problem}
      onSubmit={() => {
        const isGood = checkEmail(typed).ok
        setWrong(!isGood)
        if (!isGood) return 'email'
        if (wanted !== email) submit()
        return null
      }}
    >
      {sentTo && (
        <Notice kind="success" title={<Trans>Ouvrez le lien envoyé à {sentTo}</Trans>} isCalling>
          <Trans>
            L’adresse change à ce moment-là ; vous vous reconnecterez avec elle. Rien reçu ? Regardez dans les
            courriers indésirables. Une adresse qui a déjà un compte ne reçoit pas de lien.
          </Trans>
        </Notice>
      )}
      <TextInput
        name="email"
        type="email"
        label={t`Adresse e-mail`}
        autoComplete="email"
        inputMode="email"
        autoCapitalize="none"
        spellCheck={false}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          setWrong(false)
        }}
        error={isWrong && t`Adresse e-mail invalide`}
      />
    </Section>
  )
}
