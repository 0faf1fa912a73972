import { Trans, useLingui } from '@lingui/react/macro'
import { Button, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'

/** The coupon, asked for only of who has one. Specification, section 5. */
export function Coupon({
  coupon,
  problem,
  isClosed,
  onChange,
  onLeave,
}: {
  coupon: string
  problem: ReactNode
  isClosed: boolean
  onChange: (coupon: string) => void
  onLeave: () => void
}) {
  const { t } = useLingui()
  const [isPressed, setPressed] = useState(false)
  const [isOpen, setOpen] = useState(false)
  // It stays when the coupon is deleted, because another one may be typed next.
  if (!isOpen && (isPressed || coupon !== '')) setOpen(true)
  if (!isOpen)
    return (
      <Button variant="subtle" disabled={isClosed} onClick={() => setPressed(true)}>
        <Trans>J’ai un code promo</Trans>
      </Button>
    )
  return (
    <TextInput
      name="coupon"
      label={t`Code promo (facultatif)`}
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      autoFocus={isPressed}
      value={coupon}
      readOnly={isClosed}
      onChange={(event) => onChange(event.currentTarget.value)}
      onBlur={onLeave}
      error={problem}
      maxLength={40}
    />
  )
}
