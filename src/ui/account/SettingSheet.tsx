import { Button } from '@mantine/core'
import { type ReactNode, type Ref, useId } from 'react'
import { Notice } from '../Notice.tsx'
import { Sheet } from '../Sheet.tsx'
import classes from './SettingSection.module.css'

export function SettingSheet({
  title,
  submitLabel,
  isBusy,
  problem,
  form,
  onSubmit,
  onClose,
  children,
}: {
  title: ReactNode
  submitLabel: ReactNode
  isBusy: boolean
  problem: string | null
  form?: Ref<HTMLFormElement>
  onSubmit: () => void
  onClose: () => void
  children: ReactNode
}) {
  const id = useId()
  return (
    <Sheet
      title={title}
      onClose={onClose}
      isClosable={!isBusy}
      foot={
        <Button type="submit" form={id} loading={isBusy} fullWidth>
          {submitLabel}
        </Button>
      }
    >
      <form
        ref={form}
        id={id}
        onSubmit={(event) => {
          event.preventDefault()
          onSubmit()
        }}
        noValidate
        className={classes.form}
      >
        {problem && <Notice kind="error">{problem}</Notice>}
        {children}
      </form>
    </Sheet>
  )
}
