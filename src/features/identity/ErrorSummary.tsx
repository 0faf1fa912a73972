import { Plural } from '@lingui/react/macro'
import { Notice } from '../../ui/Notice.tsx'
import classes from './ErrorSummary.module.css'

export function ErrorSummary({
  problems,
  onGo,
}: {
  problems: readonly { readonly field: string; readonly text: string }[]
  onGo: (field: string) => void
}) {
  return (
    <Notice
      kind="error"
      title={
        <Plural value={problems.length} one="Un champ est à vérifier" other="# champs sont à vérifier" />
      }
    >
      <ul className={classes.list}>
        {problems.map(({ field, text }) => (
          <li key={field}>
            <button type="button" translate="no" onClick={() => onGo(field)}>
              {text}
            </button>
          </li>
        ))}
      </ul>
    </Notice>
  )
}
