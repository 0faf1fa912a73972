import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'
import classes from './Tabs.module.css'

/** Each panel keeps its state once it was shown. */
export function Tabs<Name extends string>({
  label,
  tabs,
  chosen,
  onChoose,
}: {
  label: string
  tabs: readonly { name: Name; label: ReactNode; panel: ReactNode }[]
  chosen: Name
  onChoose: (name: Name) => void
}) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const seen = useRef(new Set<Name>())
  seen.current.add(chosen)

  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    const next = step && tabs.at((tabs.findIndex(({ name }) => name === chosen) + step) % tabs.length)
    if (!next) return
    event.preventDefault()
    onChoose(next.name)
    list.current?.querySelector<HTMLElement>(`[data-name=${next.name}]`)?.focus()
  }

  return (
    <>
      <div ref={list} role="tablist" aria-label={label} className={classes.list} onKeyDown={move}>
        {tabs.map((tab) => (
          <button
            key={tab.name}
            type="button"
            translate="no"
            role="tab"
            id={`${id}-${tab.name}`}
            aria-controls={`${id}-${tab.name}-panel`}
            aria-selected={tab.name === chosen}
            tabIndex={tab.name === chosen ? 0 : -1}
            data-name={tab.name}
            className={classes.tab}
            onClick={() => onChoose(tab.name)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      {tabs.map((tab) => (
        <div
          key={tab.name}
          role="tabpanel"
          id={`${id}-${tab.name}-panel`}
          aria-labelledby={`${id}-${tab.name}`}
          hidden={tab.name !== chosen}
        >
          {seen.current.has(tab.name) && tab.panel}
        </div>
      ))}
    </>
  )
}
