/** What the build adds to the policy: hashes of the painted page's script and styles. */
const OF_THE_BUILD = /^'(sha256-[\w+/=]+|unsafe-hashes)'$/

/**
 * The names of the headers in which a page is served otherwise than `public/_headers` says, each with what is different.
 * `isDeployed`: over https. A sandbox serves the page over plain http, and allows its emulators beside the services.
 */
export function headerDifferences(
  wanted: ReadonlyMap<string, string>,
  served: Headers,
  isDeployed: boolean,
): string[] {
  return [...wanted].flatMap(([name, value]) => {
    if (name === 'strict-transport-security' && !isDeployed) return []
    const found = served.get(name)
    if (found === null) return [`${name} is missing`]
    if (name === 'content-security-policy') return policyDifferences(value, found, isDeployed)
    return spaced(found) === spaced(value) ? [] : [`${name} is '${found}'`]
  })
}

function policyDifferences(wanted: string, served: string, isDeployed: boolean): string[] {
  const [asked, found] = [directivesOf(wanted), directivesOf(served)]
  return [...new Set([...asked.keys(), ...found.keys()])].flatMap((directive) => {
    const [sources, others] = [asked.get(directive), found.get(directive)]
    if (!others) return [`${directive} is missing`]
    if (!sources) return [`${directive} is added`]
    const lacking = sources.filter((source) => !others.includes(source))
    const added = others.filter(
      (source) =>
        !sources.includes(source) &&
        !OF_THE_BUILD.test(source) &&
        (isDeployed || !source.startsWith('http://')),
    )
    return [
      ...(lacking.length > 0 ? [`${directive} lacks ${lacking.join(' ')}`] : []),
      ...(added.length > 0 ? [`${directive} adds ${added.join(' ')}`] : []),
    ]
  })
}

const directivesOf = (policy: string): ReadonlyMap<string, readonly string[]> =>
  new Map(
    policy
      .split(';')
      .map((directive) => directive.trim().split(/\s+/))
      .flatMap(([name, ...sources]) => (name ? [[name, sources]] : [])),
  )

const spaced = (value: string) => value.replace(/\s*,\s*/g, ', ').trim()
