import type { Clock, Identity } from '../emulator.ts'
import type { RulesRequest } from '../rules/request.ts'
import type { Rules } from '../rules/rules.ts'
import type { WireFields } from '../wire.ts'
import { lastSegment, type Names, type Path } from './names.ts'
import type { Queries, Query } from './query.ts'
import { StatusError } from './status.ts'
import type { Documents, StoredDocument } from './store.ts'
import type { Plan, Step } from './writes.ts'

/** Who may do what. An admin may do everything, everybody else what the rules allow. */
export function createAccess(deps: {
  readonly clock: Clock
  readonly names: Names
  readonly queries: Queries
  readonly rules: Rules
  /** Documents that the rules read are billed like any other. */
  readonly billReads: (count: number) => void
}) {
  const { clock, names, queries, rules, billReads } = deps

  type Asked = Omit<RulesRequest, 'auth' | 'read' | 'time'> & { readonly time?: number }

  /** Throws PERMISSION_DENIED unless the rules allow it. */
  const require = (identity: Identity, before: Documents, after: Pick<Documents, 'get'>, asked: Asked) => {
    if (identity.kind === 'admin') return
    const lookedUp = new Set<string>()
    const isAllowed = rules.allows({
      time: Math.floor(clock.now()),
      ...asked,
      auth: identity.kind === 'user' ? { uid: identity.uid, token: identity.token } : null,
      read: (path, isAfter): WireFields | null => {
        lookedUp.add(path)
        return (isAfter ? after : before).get(names.pathOfRules(path))?.fields ?? null
      },
    })
    billReads(lookedUp.size)
    if (!isAllowed) throw new StatusError('PERMISSION_DENIED', 'Missing or insufficient permissions.')
  }

  const resourceOf = (path: Path, document: StoredDocument | null | undefined) =>
    document ? { id: lastSegment(path), fields: document.fields } : null

  const requireGet = (
    identity: Identity,
    documents: Documents,
    path: Path,
    after: Pick<Documents, 'get'> = documents,
  ) =>
    require(identity, documents, after, {
      method: 'get',
      path: names.rulesPath(path),
      resource: resourceOf(path, documents.get(path)),
      requestResource: null,
    })

  return {
    requireGet,

    requireList(identity: Identity, documents: Documents, query: Query) {
      const { id, fields } = queries.pinned(query)
      require(identity, documents, documents, {
        method: 'list',
        path: names.rulesPath(query.collection),
        resource: { id, fields, partial: true },
        requestResource: null,
        query: {
          limit: query.limit,
          offset: query.offset === 0 ? null : query.offset,
          orderBy:
            query.orderBy
              .map(({ path, direction }) => `${path.join('.')} ${direction === 'ASCENDING' ? 'ASC' : 'DESC'}`)
              .join(', ') || null,
        },
      })
    },

    /** For all writes of a commit. `requestTime` is UTC ms. */
    requireWrites(identity: Identity, documents: Documents, { steps, changes }: Plan, requestTime: number) {
      const after = {
        get: (path: Path) => (changes.has(path) ? (changes.get(path) ?? undefined) : documents.get(path)),
      }
      for (const step of steps) {
        const { path } = step.write
        if (step.write.kind === 'verify') requireGet(identity, documents, path, after)
        else
          require(identity, documents, after, {
            method: writeMethod(step),
            path: names.rulesPath(path),
            time: requestTime,
            resource: resourceOf(path, step.before),
            requestResource: resourceOf(path, step.after),
          })
      }
    },
  }
}

export type Access = ReturnType<typeof createAccess>

function writeMethod({ write, before }: Step): 'create' | 'update' | 'delete' {
  if (write.kind === 'delete') return 'delete'
  const isMeantToExist =
    write.precondition !== null && !('exists' in write.precondition && !write.precondition.exists)
  return before || isMeantToExist ? 'update' : 'create'
}
