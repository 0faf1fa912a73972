import { Trans, useLingui } from '@lingui/react/macro'
import { TextInput } from '@mantine/core'
import { checkName, NAME_MAX_LENGTH } from '../../../domain/name.ts'
import { Section } from '../../ui/account/Section.tsx'
import { toast } from '../../ui/toast.ts'
import { useForm } from '../../ui/useForm.ts'
import { useSubmit } from '../../ui/useSubmit.ts'

/** Changes the person's name. Specification, section 5. */
export function NameSection({ name }: { name: string }) {
  const { t } = useLingui()
  const { form, values, change, report, findProblem } = useForm({ name })
  const checked = checkName(values.name)
  const { isBusy, problem, submit } = useSubmit(async () => {
    if (!checked.ok) return
    await (await import('../../services/accountChanges.ts')).changeName(checked.value)
    toast('success', t`Votre nom est enregistré.`)
  })
  return (
    <Section
      title={<Trans>Votre nom</Trans>}
      submitLabel={<Trans>Enregistrer le nom</Trans>}
      isBusy={isBusy}
      problem={problem}
      form={form}
      onSubmit={() => report(checked.ok ? [] : [{ field: 'name' }]) && submit()}
    >
      <TextInput
        name="name"
        label={t`Nom complet`}
        autoComplete="name"
        value={values.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
        error={findProblem('name') && t`Nom requis`}
        maxLength={NAME_MAX_LENGTH}
      />
    </Section>
  )
}
