import { Plural } from '@lingui/react/macro'

/** Says that transfers are missing from a list, because this version of the app can't read them. */
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
