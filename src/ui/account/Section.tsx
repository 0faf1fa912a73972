import { Button } from '@mantine/core'
import { type ReactNode, type Ref, useId } from 'react'
import { Notice } from '../Notice.tsx'
import classes from './Section.module.css'

/** One thing to change, with its own button. */
export function Section({
  title,
  submitLabel,
  submitId,
  isBusy,
  problem,
  form,
  onSubmit,
  children,
}: {
  title: ReactNode
  submitLabel: ReactNode
  /** The button, for a sheet that gives the focus back to it. */
  submitId?: string
  isBusy: boolean
  problem: string | null
  form?: Ref<HTMLFormElement>
  onSubmit: () => void
  children: ReactNode
}) {
  const id = useId()
  return (
    <section className={classes.section} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <form
        ref={form}
        onSubmit={(event) => {
          event.preventDefault()
          onSubmit()
        }}
        noValidate
        className={classes.form}
      >
        {problem && <Notice kind="error">{problem}</Notice>}
        {children}
        <Button type="submit" id={submitId} variant="default" loading={isBusy}>
          {submitLabel}
        </Button>
      </form>
    </section>
  )
}
