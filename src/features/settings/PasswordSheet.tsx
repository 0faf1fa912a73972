import { Trans, useLingui } from '@lingui/react/macro'
import { checkPasswordChange, type PasswordChangeProblem } from '../../../domain/account/password.ts'
import { repeatPushRegistration } from '../../pwa/pushDevice.ts'
import { SettingSheet } from '../../ui/account/SettingSheet.tsx'
import { UNKNOWN_CODE_TEXTS } from '../../ui/failureText.ts'
import { PASSWORD_TOO_SHORT } from '../../ui/fieldText.ts'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { showToast } from '../../ui/toast.ts'
import { useForm } from '../../ui/useForm.ts'
import { useSubmit } from '../../ui/useSubmit.ts'

const EMPTY = { current: '', next: '', confirmation: '' }
type Field = keyof typeof EMPTY

/** Specification, sections 5, 7 and 8. */
export function PasswordSheet({ onClose }: { onClose: () => void }) {
  const { t, i18n } = useLingui()
  const getText = ({ kind }: PasswordChangeProblem & { readonly field: Field }) => {
    switch (kind) {
      case 'passwordFieldsRequired':
        return t`Tous les champs du mot de passe sont obligatoires`
      case 'passwordTooShort':
        return i18n._(PASSWORD_TOO_SHORT)
      case 'passwordMismatch':
        return t`Les mots de passe ne correspondent pas`
    }
  }
  const { form, values, change, report, bind } = useForm(EMPTY, getText)
  const { isBusy, problem, submit } = useSubmit(async () => {
    const { changePassword } = await import('../../services/accountChanges.ts')
    await changePassword(values.current, values.next)
    repeatPushRegistration()
    showToast('success', t`Votre mot de passe est changé.`)
    onClose()
  }, UNKNOWN_CODE_TEXTS.changePassword)

  const field = (name: Field, label: string, autoComplete: string) => (
    <PasswordField
      {...bind(name)}
      label={label}
      autoComplete={autoComplete}
      onChange={({ currentTarget: { value } }) => {
        change({ [name]: value })
        report([])
      }}
    />
  )
  return (
    <SettingSheet
      title={<Trans>Mot de passe</Trans>}
      submitLabel={<Trans>Changer le mot de passe</Trans>}
      isBusy={isBusy}
      problem={problem}
      form={form}
      onSubmit={() => {
        const checked = checkPasswordChange(values)
        const problems = checked.ok
          ? []
          : listWrongFields(checked.error, values).map((field) => ({ field, ...checked.error }))
        if (report(problems)) submit()
      }}
      onClose={onClose}
    >
      {field('current', t`Mot de passe actuel`, 'current-password')}
      {field('next', t`Nouveau mot de passe`, 'new-password')}
      {field('confirmation', t`Confirmez le nouveau mot de passe`, 'new-password')}
    </SettingSheet>
  )
}

function listWrongFields({ kind }: PasswordChangeProblem, values: Record<Field, string>): Field[] {
  switch (kind) {
    case 'passwordFieldsRequired':
      return (['current', 'next', 'confirmation'] as const).filter((name) => values[name] === '')
    case 'passwordTooShort':
      return ['next']
    case 'passwordMismatch':
      return ['confirmation']
  }
}
