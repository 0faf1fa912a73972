import { memo, type ReactNode, useId } from 'react'
import classes from './Choice.module.css'

function ChoiceOf<Value extends string>({
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
  /** Whether it takes nothing for now; what has the focus keeps it. */
  isClosed?: boolean
  onChange: (value: Value) => void
  error?: ReactNode
}) {
  const errorId = useId()
  return (
    <fieldset className={classes.choice} aria-describedby={error ? errorId : undefined}>
      <legend>{legend}</legend>
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
          </label>
        ))}
      </div>
      {error && (
        <p id={errorId} className={classes.error}>
          {error}
        </p>
      )}
    </fieldset>
  )
}

/** A choice of one among a few, all in sight: a radio group drawn as tiles. It renders anew only for other props, so callers keep the same functions. */
export const Choice = memo(ChoiceOf) as typeof ChoiceOf
