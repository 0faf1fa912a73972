import { Button, type ButtonProps } from '@mantine/core'
import { type MouseEvent, type ReactNode, useRef } from 'react'
import { useHeadingAfter } from './focusHeading.ts'

/** A button that goes once it was pressed. Whoever works by the keyboard, or listens, goes on at the heading above it. */
export function PassingButton(
  props: ButtonProps & { onClick: (event: MouseEvent) => void; children: ReactNode },
) {
  const button = useRef<HTMLButtonElement>(null)
  useHeadingAfter(button)
  return <Button ref={button} {...props} />
}
