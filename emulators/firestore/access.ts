import type { CallerIdentity, Clock } from '../emulator.ts'
import type { RulesRequest } from '../rules/request.ts'
import type { Rules } from '../rules/rules.ts'
import type { WireFields } from '../wire.ts'
import { getLastSegment, type Path, type ResourceNames } from './names.ts'
import type { Query, QueryRunner } from './query.ts'
import { StatusError } from './status.ts'
import type { Documents, StoredDocument } from './store.ts'
import type { PlannedWrite } from './writes.ts'

export function createAccessChecks(deps: {
  readonly clock: Clock
  readonly names: ResourceNames
  readonly queries: QueryRunner
  readonly rules: Rules
  /** The documents that the rules read are billed like any other read. */
  readonly billReads: (count: number) => void
}) {
  const { clock, names, queries, rules, billReads } = deps

  type Asked = Omit<RulesRequest, 'auth' | 'read' | 'time'> & { readonly time?: number }

  const require = (identity: CallerIdentity, documents: Documents, asked: Asked) => {
    if (identity.kind === 'admin') return
    const lookedUp = new Set<string>()
    const isAllowed = rules.allows({
      time: Math.floor(clock.now()),
      ...asked,
      auth: identity.kind === 'user' ? { uid: identity.uid, token: identity.token } : null,
      read: (path): WireFields | null => {
        lookedUp.add(path)
        return documents.get(names.fromRulesPath(path))?.fields ?? null
      },
    })
    billReads(lookedUp.size)
    if (!isAllowed) throw new StatusError('PERMISSION_DENIED', 'Missing or insufficient permissions.')
  }

  const toResource = (path: Path, document: StoredDocument | null | undefined) =>
    document ? { id: getLastSegment(path), fields: document.fields } : null

  return {
    requireGet: (identity: CallerIdentity, documents: Documents, path: Path) =>
      require(identity, documents, {
        method: 'get',
        path: names.toRulesPath(path),
        resource: toResource(path, documents.get(path)),
        requestResource: null,
      }),

    requireList(identity: CallerIdentity, documents: Documents, query: Query) {
      const { id, fields } = queries.getFixedValues(query)
      require(identity, documents, {
        method: 'list',
        path: names.toRulesPath(query.collection),
        resource: { id, fields, partial: true },
        requestResource: null,
      })
    },

    /** `requestTime`: UTC milliseconds. */
    requireWrites(
      identity: CallerIdentity,
      documents: Documents,
      steps: readonly PlannedWrite[],
      requestTime: number,
    ) {
      for (const step of steps) {
        const { path } = step.write
        require(identity, documents, {
          method: getWriteMethod(step),
          path: names.toRulesPath(path),
          time: requestTime,
          resource: toResource(path, step.before),
          requestResource: toResource(path, step.after),
        })
      }
    },
  }
}

export type AccessChecks = ReturnType<typeof createAccessChecks>

function getWriteMethod({ write, before }: PlannedWrite): 'create' | 'update' | 'delete' {
  if (write.kind === 'delete') return 'delete'
  const isMeantToExist =
    write.precondition !== null && !('exists' in write.precondition && !write.precondition.exists)
  return before || isMeantToExist ? 'update' : 'create'
}
