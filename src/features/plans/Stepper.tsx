import { useLingui } from '@lingui/react/macro'
import { type CSSProperties, type ReactNode, useId } from 'react'
import controls from '../../ui/controls.module.css'
import { PlusIcon } from '../../ui/icons/common.ts'
import { MinusIcon } from '../../ui/icons/lists.ts'
import { useLanguage } from '../../ui/useLanguage.ts'
import classes from './Stepper.module.css'

export function Stepper({
  name,
  label,
  shownLabel,
  value,
  unit,
  inputMode,
  maxLength,
  isLeast,
  isMost,
  error,
  onChange,
  onStep,
}: {
  name: string
  label: string
  /** Made of words of `label`. */
  shownLabel: string
  value: string
  /** A currency symbol. */
  unit?: string
  inputMode: 'decimal' | 'numeric'
  maxLength: number
  isLeast: boolean
  isMost: boolean
  error: ReactNode
  onChange: (value: string) => void
  onStep: (direction: 'up' | 'down') => void
}) {
  const { t } = useLingui()
  const id = useId()
  const language = useLanguage()
  const step = (direction: 'up' | 'down', isEnd: boolean) => (
    // A disabled button would lose the focus.
    <button
      type="button"
      aria-label={direction === 'up' ? t`Plus` : t`Moins`}
      aria-disabled={isEnd}
      onClick={() => !isEnd && onStep(direction)}
    >
      {direction === 'up' ? <PlusIcon /> : <MinusIcon />}
    </button>
  )
  return (
    <div>
      <fieldset aria-label={shownLabel} className={classes.stepper} data-error={error ? true : undefined}>
        {step('down', isLeast)}
        {/* CSS can't count the characters of a value. */}
        <label style={{ '--length': value.length } as CSSProperties}>
          <span>{shownLabel}</span>
          <input
            name={name}
            aria-label={label}
            inputMode={inputMode}
            autoComplete="off"
            maxLength={maxLength}
            value={value}
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? id : undefined}
            onChange={({ currentTarget }) => onChange(currentTarget.value)}
          />
          {unit && (
            <span className={classes.unit} data-first={language === 'en'} aria-hidden="true">
              {unit}
            </span>
          )}
        </label>
        {step('up', isMost)}
      </fieldset>
      {error && (
        <p id={id} className={controls.error}>
          {error}
        </p>
      )}
    </div>
  )
}
