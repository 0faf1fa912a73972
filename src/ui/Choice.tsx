import { memo, type ReactNode, useId } from 'react'
import classes from './Choice.module.css'
import controls from './controls.module.css'
import { CheckIcon } from './icons/common.ts'

function GenericChoice<Value extends string>({
  legend,
  name,
  value,
  options,
  isClosed = false,
  onChange,
  error,
}: {
  legend: ReactNode
  name: string
  value: Value | null
  options: readonly { value: Value; label: ReactNode; picture?: ReactNode }[]
  /** A focused option keeps the focus. */
  isClosed?: boolean
  onChange: (value: Value) => void
  error?: ReactNode
}) {
  const errorId = useId()
  return (
    <fieldset aria-describedby={error ? errorId : undefined}>
      <legend className={classes.legend}>{legend}</legend>
      <div className={classes.options}>
        {options.map((option) => (
          <label key={option.value} className={classes.option} data-pictured={option.picture !== undefined}>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              aria-disabled={isClosed}
              onChange={() => onChange(option.value)}
            />
            {option.picture}
            <span>{option.label}</span>
            <span className={classes.mark}>
              <CheckIcon isSmall />
            </span>
          </label>
        ))}
      </div>
      {error && (
        <p id={errorId} className={controls.error}>
          {error}
        </p>
      )}
    </fieldset>
  )
}

/** Memoized, so callers pass stable functions. */
export const Choice = memo(GenericChoice) as typeof GenericChoice
