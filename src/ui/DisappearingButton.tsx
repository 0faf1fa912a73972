import { Button, type ButtonProps } from '@mantine/core'
import { type MouseEvent, type ReactNode, useRef } from 'react'
import { useFocusHeadingAfter } from './focusHeading.ts'

/** A button that disappears when pressed, and then moves the focus to the heading above it. */
export function DisappearingButton(
  props: ButtonProps & { onClick: (event: MouseEvent) => void; children: ReactNode },
) {
  const button = useRef<HTMLButtonElement>(null)
  useFocusHeadingAfter(button)
  return <Button ref={button} {...props} />
}
