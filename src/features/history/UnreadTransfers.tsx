import { Plural } from '@lingui/react/macro'

/** This version of the app can't read these transfers. */
export const UnreadTransfers = ({ count }: { count: number }) =>
  count > 0 && (
    <p>
      <Plural
        value={count}
        one="# transfert ne peut pas être affiché par cette version de l’application."
        other="# transferts ne peuvent pas être affichés par cette version de l’application."
      />
    </p>
  )
