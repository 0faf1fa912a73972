import { SearchIcon } from './icons/lists.ts'
import classes from './SearchField.module.css'

/** `hint`: what it finds. */
export const SearchField = ({
  label,
  hint,
  value,
  onChange,
}: {
  label: string
  hint: string
  value: string
  onChange: (value: string) => void
}) => (
  <div className={classes.search}>
    <SearchIcon isSmall />
    <input
      type="search"
      aria-label={label}
      placeholder={hint}
      autoComplete="off"
      enterKeyHint="search"
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  </div>
)
