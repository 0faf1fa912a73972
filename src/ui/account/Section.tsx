import { Button } from '@mantine/core'
import { type FormEvent, type ReactNode, useId } from 'react'
import { Notice } from '../Notice.tsx'
import classes from './Section.module.css'

/** One thing to change, with its own button. `onSubmit` answers the name of the first field that is wrong, or null. */
export function Section({
  title,
  submitLabel,
  submitId,
  isBusy,
  problem,
  onSubmit,
  children,
}: {
  title: ReactNode
  submitLabel: ReactNode
  /** The button, for a sheet that gives the focus back to it. */
  submitId?: string
  isBusy: boolean
  problem: string | null
  onSubmit: () => string | null
  children: ReactNode
}) {
  const id = useId()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const wrong = onSubmit()
    if (wrong) event.currentTarget.querySelector<HTMLElement>(`[name=${wrong}]`)?.focus()
  }
  return (
    <section className={classes.section} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <form onSubmit={submit} noValidate className={classes.form}>
        {problem && <Notice kind="error">{problem}</Notice>}
        {children}
        <Button type="submit" id={submitId} variant="default" loading={isBusy}>
          {submitLabel}
        </Button>
      </form>
    </section>
  )
}
