import { useLingui } from '@lingui/react/macro'
import { TextInput, type TextInputProps } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import classes from './controls.module.css'
import { EyeIcon, EyeOffIcon } from './icons/common.ts'

/** `action`: another button in the box. */
export function PasswordField({ action, ...field }: TextInputProps & { action?: ReactNode }) {
  const { t } = useLingui()
  const [isShown, setShown] = useState(false)
  return (
    <TextInput
      {...field}
      type={isShown ? 'text' : 'password'}
      autoCapitalize="none"
      spellCheck={false}
      rightSection={
        <>
          {action}
          <button
            type="button"
            className={classes.reveal}
            aria-label={t`Afficher ou masquer le mot de passe`}
            onClick={() => setShown(!isShown)}
          >
            {isShown ? <EyeOffIcon /> : <EyeIcon />}
          </button>
        </>
      }
    />
  )
}
