import type { Chart } from '../statecharts/chart.ts'
import { pictureName, type StoryboardData, seenIn, type View, WINDOWS } from './data.ts'

/** What people see while a machine is in this state. */
export function Pictures({
  data,
  chart,
  state,
  view,
  onView,
}: {
  data: StoryboardData
  chart: Chart
  state: string
  view: View
  onView: (view: View) => void
}) {
  const { screens, reason } = seenIn(data, chart, state)
  const { width, height } = WINDOWS[view.window]
  return (
    <section>
      <h2>What people see</h2>
      {reason && <p>{reason}</p>}
      {screens.length > 0 && (
        <div className="views">
          {CHOICES.map(([key, options]) => (
            <select
              key={key}
              aria-label={key}
              value={view[key]}
              onChange={({ target }) => onView({ ...view, [key]: target.value })}
            >
              {options.map((option) => (
                <option key={option}>{option}</option>
              ))}
            </select>
          ))}
          <span>{screens.length === 1 ? 'One screen' : `${screens.length} screens`}</span>
        </div>
      )}
      <div className="pictures">
        {screens.map((screen) => {
          const file = pictureName(screen, view)
          return (
            <figure key={screen}>
              {data.pictures.includes(file) ? (
                <a href={data.folder + file} target="_blank" rel="noreferrer">
                  <img
                    src={data.folder + file}
                    alt={`The screen ${screen}`}
                    loading="lazy"
                    width={width}
                    height={height}
                  />
                </a>
              ) : (
                <p>Not taken yet: npm run storyboard -- {screen}</p>
              )}
              <figcaption>{screen}</figcaption>
            </figure>
          )
        })}
      </div>
    </section>
  )
}

const CHOICES = [
  ['window', ['phone', 'desk']],
  ['language', ['fr', 'en']],
  ['scheme', ['light', 'dark']],
] as const
