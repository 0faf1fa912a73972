import { useEffect, useMemo, useRef, useState } from 'react'
import {
  ASK_FOR_SCENES,
  type BuildDescription,
  describeBuild,
  findChange,
  listDifferences,
  parseFolder,
} from './compare.ts'
import type { StoryboardData } from './data.ts'
import { ScaledFrame, ViewChoices } from './Frame.tsx'
import { buildFrameAddress, formatSelection, type Selection } from './selection.ts'

export function CompareForm({
  compare,
  onCompare,
}: {
  compare: string | null
  onCompare: (compare: string | null) => void
}) {
  return (
    <details className="compare">
      <summary>Compare</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          event.currentTarget.closest('details')?.removeAttribute('open')
          onCompare(String(new FormData(event.currentTarget).get('folder')) || null)
        }}
      >
        <label>
          Folder or address of another storyboard
          <input name="folder" defaultValue={compare ?? '../previous/'} />
        </label>
        <button type="submit">Compare with it</button>
      </form>
    </details>
  )
}

export function ComparePage({
  place,
  onPlace,
  data,
}: {
  place: Selection
  onPlace: (place: Partial<Selection>) => void
  data: StoryboardData
}) {
  const { compare, scene, view } = place
  const folder = parseFolder(compare ?? '', location.href)
  const [other, setOther] = useState<BuildDescription | null>(null)
  const asked = useRef<HTMLIFrameElement>(null)
  useEffect(() => {
    const listen = ({ source, data: sent }: MessageEvent) => {
      if (source === asked.current?.contentWindow && sent.kind === 'scenes') setOther(sent)
    }
    addEventListener('message', listen)
    return () => removeEventListener('message', listen)
  }, [])
  const own = useMemo(() => describeBuild(data), [data])
  const differences = useMemo(() => (other ? listDifferences(other, own) : []), [other, own])
  const shown = scene ?? differences[0]?.name
  if (!folder) return <p role="alert">{compare} is not an address of a folder.</p>
  return (
    <main className="comparison">
      {/* A page with a `file:` URL can't read another page, but receives its messages. */}
      <iframe ref={asked} hidden title="The other storyboard" src={`${folder}index.html${ASK_FOR_SCENES}`} />
      <section aria-label="Scenes that differ">
        <h2>{other ? `Scenes that differ: ${differences.length}` : 'Waiting for the other storyboard…'}</h2>
        {!other && <p>It has to be in {folder}, made by the same command.</p>}
        <ul>
          {differences.map(({ name, kind, language }) => (
            <li key={name}>
              <a
                href={formatSelection({ ...place, scene: name, view: { ...view, language } })}
                aria-current={name === shown ? 'true' : undefined}
              >
                {name}
              </a>{' '}
              {kind}
            </li>
          ))}
        </ul>
      </section>
      {shown && other && (
        <section aria-label="Both builds">
          <div className="views">
            <h2>{shown}</h2>
            <ViewChoices view={view} onView={(changed) => onPlace({ view: changed })} />
          </div>
          <div className="builds">
            {[
              { when: 'before', base: folder, build: other },
              { when: 'now', base: '', build: own },
            ].map(({ when, base, build }) => {
              const address = base + buildFrameAddress(shown, view)
              return (
                <section key={when} aria-label={when}>
                  <h3>{when}</h3>
                  {build.names.includes(shown) ? (
                    <ScaledFrame
                      key={address}
                      name={`${shown} ${when}`}
                      address={address}
                      window={view.window}
                    />
                  ) : (
                    <p>This build has no such scene.</p>
                  )}
                </section>
              )
            })}
          </div>
          <TextChange
            before={other.texts[shown]?.[view.language] ?? ''}
            now={own.texts[shown]?.[view.language] ?? ''}
          />
        </section>
      )}
    </main>
  )
}

function TextChange({ before, now }: { before: string; now: string }) {
  if (before === now) return <p>The text in this language is the same.</p>
  const change = findChange(before, now)
  return (
    <p>
      <del>{change.before}</del> <ins>{change.now}</ins>
    </p>
  )
}
