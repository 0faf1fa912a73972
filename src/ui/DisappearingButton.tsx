import { Button, type ButtonProps } from '@mantine/core'
import { type MouseEvent, type ReactNode, useRef } from 'react'
import { useFocusHeadingAfter } from './focusHeading.ts'

/** Moves the focus to the heading above it. */
export function DisappearingButton(
  props: ButtonProps & { onClick: (event: MouseEvent) => void; children: ReactNode },
) {
  const button = useRef<HTMLButtonElement>(null)
  useFocusHeadingAfter(button)
  return <Button ref={button} {...props} />
}
