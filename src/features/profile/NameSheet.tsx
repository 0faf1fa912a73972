import { Trans, useLingui } from '@lingui/react/macro'
import { TextInput } from '@mantine/core'
import { checkName, NAME_MAX_LENGTH } from '../../../domain/people/name.ts'
import { SettingSheet } from '../../ui/account/SettingSheet.tsx'
import { showToast } from '../../ui/toast.ts'
import { useForm } from '../../ui/useForm.ts'
import { useSubmit } from '../../ui/useSubmit.ts'

/** Specification, section 5. */
export function NameSheet({ name, onClose }: { name: string; onClose: () => void }) {
  const { t } = useLingui()
  const { form, values, report, bind } = useForm({ name }, () => t`Nom requis`)
  const checked = checkName(values.name)
  const { isBusy, problem, submit } = useSubmit(async () => {
    if (!checked.ok) return
    await (await import('../../services/accountChanges.ts')).changeName(checked.value)
    showToast('success', t`Votre nom est enregistré.`)
    onClose()
  })
  return (
    <SettingSheet
      title={<Trans>Nom</Trans>}
      submitLabel={<Trans>Enregistrer le nom</Trans>}
      isBusy={isBusy}
      problem={problem}
      form={form}
      onSubmit={() => report(checked.ok ? [] : [{ field: 'name' }]) && submit()}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        {...bind('name')}
        label={t`Nom complet`}
        autoComplete="name"
        maxLength={NAME_MAX_LENGTH}
      />
    </SettingSheet>
  )
}
