import { Trans, useLingui } from '@lingui/react/macro'
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { checkName, NAME_MAX_LENGTH } from '../../../domain/name.ts'
import { Section } from '../../ui/account/Section.tsx'
import { toast } from '../../ui/toast.ts'
import { useSubmit } from '../../ui/useSubmit.ts'

/** Changes the person's name. Specification, section 5. */
export function NameSection({ name }: { name: string }) {
  const { t } = useLingui()
  const [typed, setTyped] = useState(name)
  const [isWrong, setWrong] = useState(false)
  const checked = checkName(typed)
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
      onSubmit={() => {
        setWrong(!checked.ok)
        if (!checked.ok) return 'name'
        submit()
        return null
      }}
    >
      <TextInput
        name="name"
        label={t`Nom complet`}
        autoComplete="name"
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          setWrong(false)
        }}
        error={isWrong && t`Nom requis`}
        maxLength={NAME_MAX_LENGTH}
      />
    </Section>
  )
}
