import type { ReactNode } from 'react'
import { ForwardIcon } from '../../ui/icons/common.ts'
import type { Icon } from '../../ui/icons/createIcon.tsx'
import rows from '../../ui/Row.module.css'
import classes from './Settings.module.css'

/** Phones show their own list for a native select. */
export function SelectRow<Value extends string>({
  icon: RowIcon,
  title,
  value,
  options,
  names,
  onChange,
}: {
  icon: Icon
  title: ReactNode
  value: Value
  options: readonly Value[]
  names: Record<Value, string>
  onChange: (value: Value) => void
}) {
  return (
    <li>
      <label className={`${rows.row} ${classes.select}`} translate="no">
        <span className={rows.icon}>
          <RowIcon />
        </span>
        <span className={`${rows.lines} ${classes.chosen}`}>
          <span className={rows.title}>{title}</span>
          {/* Screen readers read the value of the select. */}
          <span className={rows.note} aria-hidden="true">
            {names[value]}
          </span>
        </span>
        <span className={rows.arrow}>
          <ForwardIcon isSmall />
        </span>
        <select
          value={value}
          onChange={({ currentTarget }) => {
            const next = options.find((option) => option === currentTarget.value)
            if (next) onChange(next)
          }}
        >
          {options.map((option) => (
            <option key={option} value={option}>
              {names[option]}
            </option>
          ))}
        </select>
      </label>
    </li>
  )
}
