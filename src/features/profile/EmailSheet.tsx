import { Trans, useLingui } from '@lingui/react/macro'
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { checkEmail, cleanEmail, isSameEmail } from '../../../domain/account/email.ts'
import { checkPassword, PASSWORD_MIN_LENGTH } from '../../../domain/account/password.ts'
import { repeatPushRegistration } from '../../pwa/pushDevice.ts'
import { SettingSheet } from '../../ui/account/SettingSheet.tsx'
import type { RunWithReauthentication } from '../../ui/account/useReauthentication.tsx'
import { UNKNOWN_CODE_TEXTS } from '../../ui/failureText.ts'
import { PASSWORD_TOO_SHORT } from '../../ui/fieldText.ts'
import { Notice } from '../../ui/Notice.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { showToast } from '../../ui/toast.ts'
import { useForm } from '../../ui/useForm.ts'
import { useSubmit } from '../../ui/useSubmit.ts'

/** A link sent to the new address must be opened first. Specification, sections 5, 7 and 8. */
export function EmailSheet({
  email,
  proven,
  isHidden,
  onClose,
}: {
  email: string | null
  proven: RunWithReauthentication
  /** Another sheet asks the user to re-authenticate. */
  isHidden: boolean
  onClose: () => void
}) {
  const { t, i18n } = useLingui()
  /** `password`: null until the service asks for one. */
  const { form, values, change, report, bind } = useForm<
    { email: string; password: string | null },
    { readonly field: 'email' | 'password' }
  >({ email: email ?? '', password: null }, ({ field }) =>
    field === 'email' ? t`Adresse e-mail invalide` : i18n._(PASSWORD_TOO_SHORT),
  )
  const { password } = values
  const [sentTo, setSentTo] = useState('')
  const address = cleanEmail(values.email)
  const { isBusy, problem, submit } = useSubmit(async () => {
    setSentTo('')
    const { addEmail, changeEmail } = await import('../../services/accountChanges.ts')
    if (password !== null) {
      const { mailSent } = await proven(() => addEmail(address, password))
      repeatPushRegistration()
      if (!mailSent)
        showToast('error', t`L’e-mail de vérification n’a pas pu partir. Réessayez dans un moment.`)
      return
    }
    switch (await proven(() => changeEmail(address))) {
      case 'linkSent':
        return setSentTo(address)
      case 'passwordNeeded':
        return change({ password: '' })
      case 'changed':
        repeatPushRegistration()
        showToast('success', t`Votre adresse e-mail est enregistrée.`)
        return onClose()
    }
  }, UNKNOWN_CODE_TEXTS.changeEmail)
  if (isHidden) return null
  return (
    <SettingSheet
      title={<Trans>Adresse e-mail</Trans>}
      submitLabel={<Trans>Changer l’adresse e-mail</Trans>}
      isBusy={isBusy}
      problem={problem}
      form={form}
      onSubmit={() => {
        const isPasswordWrong = password !== null && !checkPassword(password).ok
        const fields = !checkEmail(address).ok
          ? ['email' as const]
          : isPasswordWrong
            ? ['password' as const]
            : []
        if (!report(fields.map((field) => ({ field })))) return
        if (isSameEmail(address, email)) onClose()
        else submit()
      }}
      onClose={onClose}
    >
      {sentTo && (
        <Notice kind="success" title={<Trans>Ouvrez le lien envoyé à {sentTo}</Trans>} isCalling>
          <Trans>
            L’adresse change à ce moment-là ; vous vous reconnecterez avec elle. Rien reçu ? Regardez dans les
            courriers indésirables. Une adresse qui a déjà un compte ne reçoit pas de lien.
          </Trans>
        </Notice>
      )}
      {password !== null && (
        <Notice kind="info" title={<Trans>Choisissez un mot de passe pour cette adresse</Trans>} isCalling>
          <Trans>
            Ensuite, ouvrez sur cet appareil le lien que vous recevrez, puis connectez-vous une fois avec
            votre numéro. L’adresse et ce mot de passe ouvriront alors aussi votre compte.
          </Trans>
        </Notice>
      )}
      <TextInput
        data-autofocus
        {...bind('email')}
        type="email"
        label={t`Adresse e-mail`}
        autoComplete="email"
        inputMode="email"
        autoCapitalize="none"
        spellCheck={false}
      />
      {password !== null && (
        <PasswordField
          {...bind('password')}
          label={t`Mot de passe`}
          description={t`Au moins ${PASSWORD_MIN_LENGTH} caractères.`}
          autoComplete="new-password"
        />
      )}
    </SettingSheet>
  )
}
