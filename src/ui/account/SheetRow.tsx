import { type ComponentProps, type ReactNode, useState } from 'react'
import { Row } from '../Row.tsx'

export function SheetRow({
  sheet,
  ...row
}: Omit<ComponentProps<typeof Row>, 'onOpen'> & { sheet: (close: () => void) => ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Row {...row} onOpen={() => setOpen(true)} />
      {isOpen && sheet(() => setOpen(false))}
    </>
  )
}
