import { type ReactNode, useId } from 'react'
import classes from '../../ui/account/SettingSection.module.css'
import { Rows } from '../../ui/Row.tsx'

export function SettingGroup({ title, children }: { title: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <section className={classes.group} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <Rows>{children}</Rows>
    </section>
  )
}
