import { useState } from 'react'
import type { Chart } from '../../statecharts/chart.ts'
import type { StoryboardData } from './data.ts'
import { search } from './search.ts'
import { formatSelection, type View } from './selection.ts'

export function Search({
  charts,
  data,
  view,
}: {
  charts: readonly Chart[]
  data: StoryboardData
  view: View
}) {
  const [wanted, setWanted] = useState('')
  const found = search(wanted, charts, data)
  return (
    <search>
      <input
        type="search"
        aria-label="Find a state, an event, a scene or a text"
        placeholder="State, event, scene or text"
        value={wanted}
        onChange={({ target }) => setWanted(target.value)}
      />
      {wanted.length > 1 && (
        <ul className="results" aria-label="Found">
          {found.map(({ kind, name, to: { language, ...to } }) => (
            <li key={`${kind} ${name}`}>
              <a
                href={formatSelection({
                  ...to,
                  view: { ...view, ...(language && { language }) },
                })}
                onClick={() => setWanted('')}
              >
                {kind} {name}
              </a>
            </li>
          ))}
          {found.length === 0 && <li>Nothing found</li>}
        </ul>
      )}
    </search>
  )
}
